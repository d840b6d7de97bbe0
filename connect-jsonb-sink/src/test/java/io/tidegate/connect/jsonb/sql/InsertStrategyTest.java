package io.tidegate.connect.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.write.Documents;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;

final class InsertStrategyTest {
    private static final TableShape TABLE = TableShapes.of("\"t\"", Map.of("doc", "jsonb"));
    private static final List<Document> ROWS = Collections.nCopies(1_000, Documents.append(0, "\"t\"", "1"));
    private final SQLException unsupported = new SQLException("COPY WHERE", SqlState.FEATURE_NOT_SUPPORTED);
    private final SQLException internal = new SQLException("cache lookup failed", SqlState.INTERNAL_ERROR);

    private final Dialect dialect = new Dialect("a server");
    private final InsertStrategy strategy = lane();

    @Test
    void aFormThatTheServerDoesNotSupportIsNotSentAgain() {
        assertThat(isCopied()).isTrue();

        writePlainerAfter(unsupported);

        assertThat(isCopied()).isFalse();
    }

    @Test
    void anInternalErrorThatPassesGivesNoFormUp() {
        for (int i = 0; i < 10; i++) {
            writePlainerAfter(internal);
            assertThat(isCopied()).isTrue();
            strategy.taken(TABLE, true);
            strategy.written();
        }
    }

    @Test
    void internalErrorsInARowShowALack() {
        for (int i = 0; i < 3; i++) {
            assertThat(isCopied()).isTrue();
            writePlainerAfter(internal);
            strategy.taken(TABLE, false); // a smaller batch
            strategy.written();
        }

        assertThat(isCopied()).isFalse();
    }

    /** A trigger may raise such an error for one row. */
    @Test
    void aPartOfABatchDoesNotShowThatAFormIsAtFault() {
        assertThat(strategy.explain(TABLE, true, unsupported).getSQLState()).isEqualTo(SqlState.SERIALIZATION_FAILURE);
        strategy.taken(TABLE, false);
        assertThat(strategy.explain(TABLE, false, unsupported).getSQLState()).isEqualTo(SqlState.SERIALIZATION_FAILURE);
        strategy.taken(TABLE.unchecked(), false);

        SQLException last = strategy.explain(TABLE.unchecked(), false, unsupported);

        assertThat((Throwable) last).isSameAs(unsupported);
        assertThat(isCopied()).isTrue();
    }

    @Test
    void aTableThatWasAlteredIsNoLackOfTheServer() {
        assertThat(strategy.explain(TABLE, false, unsupported).getSQLState()).isEqualTo(SqlState.SERIALIZATION_FAILURE);
        strategy.takenFor(TableShapes.of("\"t\"", Map.of("doc", "text")).unchecked());
        strategy.written();

        assertThat(isCopied()).isTrue();
    }

    @Test
    void aStatementOfALaneThatHasYetToLearnThePlainFormIsSentInItToo() {
        dialect.lacksCatalogue("another lane found it out");

        assertThat(strategy.explain(TABLE, false, unsupported).getSQLState()).isEqualTo(SqlState.SERIALIZATION_FAILURE);
    }

    private void writePlainerAfter(SQLException refusal) {
        assertThat(strategy.explain(TABLE, true, refusal).getSQLState()).isEqualTo(SqlState.SERIALIZATION_FAILURE);
        assertThat(isCopied()).isFalse();
        strategy.taken(TABLE, false);
        strategy.written();
    }

    private boolean isCopied() {
        return strategy.copies(TABLE, ROWS, false);
    }

    private InsertStrategy lane() {
        Map<String, String> props = Props.of("connection.url=jdbc:postgresql://localhost/db");
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), props, false);
        RowSql sql = new RowSql(RowSettings.from(config), InsertSettings.from(config));
        return new InsertStrategy(InsertMethod.AUTO, sql, dialect);
    }
}
