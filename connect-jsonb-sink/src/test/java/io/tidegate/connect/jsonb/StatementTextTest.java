package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import io.tidegate.connect.jsonb.TableSettings.KeyMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatementTextTest {
    private static final TableShape KEYED = new TableShape("\"t\"", Map.of("doc", "jsonb", "id", "bigint"), true);

    @Test
    void appendsManyRowsInOneStatement() {
        assertThat(new ValuesInsert(settings(InsertMode.INSERT, KeyMode.NONE)).text("\"t\"", 3, false))
                .isEqualTo("INSERT INTO \"t\" (\"doc\") VALUES (?),(?),(?)");
    }

    @Test
    void ignoresRowsThatAreThere() {
        assertThat(new ValuesInsert(settings(InsertMode.IGNORE, KeyMode.KAFKA, "t", "p", "o")).text("\"t\"", 1, true))
                .isEqualTo("INSERT INTO \"t\" (\"doc\", \"t\", \"p\", \"o\") VALUES (?,?,?,?)"
                        + " ON CONFLICT (\"t\", \"p\", \"o\") DO NOTHING");
    }

    @Test
    void replacesRowsThatAreThere() {
        assertThat(new UnnestInsert(settings(InsertMode.UPSERT, KeyMode.RECORD_KEY, "id"))
                        .text(KEYED, true, Optional.empty()))
                .isEqualTo("INSERT INTO \"t\" (\"doc\", \"id\") SELECT r.v0::jsonb, r.v1::bigint"
                        + " FROM unnest(?::text[], ?::text[]) AS r(v0, v1)"
                        + " ON CONFLICT (\"id\") DO UPDATE SET \"doc\" = EXCLUDED.\"doc\"");
    }

    @Test
    void deletesByKeyInTheTypeOfTheColumn() {
        assertThat(new RowDelete(settings(InsertMode.UPSERT, KeyMode.RECORD_KEY, "id")).text(KEYED))
                .isEqualTo("DELETE FROM \"t\" WHERE \"id\" = ANY (?::text[]::bigint[])");
    }

    @Test
    void staysWithinTheParametersOfTheProtocol() {
        assertThat(new ValuesInsert(settings(InsertMode.INSERT, KeyMode.NONE)).maxRows())
                .isEqualTo(65_528);
        assertThat(new ValuesInsert(settings(InsertMode.IGNORE, KeyMode.KAFKA, "t", "p", "o")).maxRows())
                .isEqualTo(16_382);
    }

    @Test
    void autoCopiesLargeAppendsIntoColumnsOfExactTypes() {
        Inserts inserts = new Inserts(settings(InsertMode.INSERT, KeyMode.NONE));

        assertThat(inserts.choose(KEYED, 5_000, false)).isInstanceOf(CopyInsert.class);
        assertThat(inserts.choose(KEYED, 1, false)).isInstanceOf(UnnestInsert.class);
        assertThat(inserts.choose(KEYED, 5_000, true)).isInstanceOf(UnnestInsert.class);
        assertThat(inserts.choose(new TableShape("t", Map.of("doc", "json"), true), 5_000, false))
                .isInstanceOf(UnnestInsert.class);
        assertThat(inserts.choose(new TableShape("t", Map.of("doc", "jsonb"), false), 5_000, false))
                .isInstanceOf(UnnestInsert.class);
    }

    private static TableSettings settings(InsertMode insertMode, KeyMode keyMode, String... columns) {
        return new TableSettings(
                TableName.parse("t"), "doc", insertMode, InsertMethod.AUTO, keyMode, List.of(columns), false);
    }
}
