package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

final class InternalErrorsTest {
    private final InternalErrors errors = new InternalErrors();

    @Test
    void aStatementThatAlwaysEndsWithAnInternalErrorFailsTheTask() {
        WriteException e = failed(new SQLException("no such thing", SqlState.INTERNAL_ERROR));
        for (int i = 1; i < InternalErrors.MOST; i++) {
            assertThat(errors.judge(e).failure()).isEqualTo(Failure.TRANSIENT);
        }

        assertThat(errors.judge(e).failure()).isEqualTo(Failure.FATAL);
    }

    /** Some poolers answer it to a new session while their server is away. */
    @Test
    void aPoolThatOpensNoSessionIsWaitedForWhateverTheReason() {
        WriteException e =
                failed(new SQLTransientConnectionException("the database is not reachable", SqlState.INTERNAL_ERROR));

        for (int i = 0; i < 2 * InternalErrors.MOST; i++) {
            assertThat(errors.judge(e).failure()).isEqualTo(Failure.TRANSIENT);
        }
    }

    private static WriteException failed(SQLException e) {
        return WriteException.ofOffsets(Failure.TRANSIENT, "the server failed", e);
    }
}
