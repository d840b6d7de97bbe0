package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import io.tidegate.connect.jsonb.TableSettings.KeyMode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowStatementsTest {
    @Test
    void appendsManyRowsInOneStatement() {
        assertThat(statements(InsertMode.INSERT, KeyMode.NONE).insert("\"t\"", 3, false))
                .isEqualTo("INSERT INTO \"t\" (\"doc\") VALUES (?),(?),(?)");
    }

    @Test
    void ignoresRowsThatAreThere() {
        assertThat(statements(InsertMode.IGNORE, KeyMode.KAFKA, "t", "p", "o").insert("\"t\"", 1, true))
                .isEqualTo("INSERT INTO \"t\" (\"doc\", \"t\", \"p\", \"o\") VALUES (?,?,?,?)"
                        + " ON CONFLICT (\"t\", \"p\", \"o\") DO NOTHING");
    }

    @Test
    void replacesRowsThatAreThere() {
        assertThat(statements(InsertMode.UPSERT, KeyMode.RECORD_KEY, "id").insert("\"t\"", 1, true))
                .isEqualTo("INSERT INTO \"t\" (\"doc\", \"id\") VALUES (?,?)"
                        + " ON CONFLICT (\"id\") DO UPDATE SET \"doc\" = EXCLUDED.\"doc\"");
    }

    @Test
    void deletesByKey() {
        assertThat(statements(InsertMode.UPSERT, KeyMode.RECORD_KEY, "id").delete("\"t\"", 2))
                .isEqualTo("DELETE FROM \"t\" WHERE \"id\" IN (?,?)");
    }

    @Test
    void staysWithinTheParametersOfTheProtocol() {
        assertThat(statements(InsertMode.INSERT, KeyMode.NONE).maxRows()).isEqualTo(65_535);
        assertThat(statements(InsertMode.IGNORE, KeyMode.KAFKA, "t", "p", "o").maxRows())
                .isEqualTo(16_383);
    }

    private static RowStatements statements(InsertMode insertMode, KeyMode keyMode, String... columns) {
        return new RowStatements(
                new TableSettings(TableName.parse("t"), "doc", insertMode, keyMode, List.of(columns), false));
    }
}
