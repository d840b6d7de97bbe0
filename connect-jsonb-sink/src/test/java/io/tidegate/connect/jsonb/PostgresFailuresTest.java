package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.Failure;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresFailuresTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "08006", "08001", "25006", "40001", "40P01", "53300", "53100", "55P03", "57P01", "57P02", "57P03",
                "57014", "58030", "XX000"
            })
    void outagesAreTransient(String state) {
        assertThat(classify(state)).isEqualTo(Failure.TRANSIENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "21000", "22P02", "22P05", "22021", "22003", "23505", "23502", "23514", "42804", "44000", "54001",
                "P0001"
            })
    void dataErrorsAreRejected(String state) {
        assertThat(classify(state)).isEqualTo(Failure.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"28P01", "28000", "3D000", "3F000", "42P01", "42501", "42703", "0A000", "25001", "?", ""})
    void everythingElseIsForAHuman(String state) {
        assertThat(classify(state)).isEqualTo(Failure.FATAL);
    }

    @Test
    void anErrorWithoutAStateNeverReachedTheServer() {
        assertThat(PostgresFailures.classify(new SQLException("broken pipe", new IOException("broken pipe"))))
                .isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void anEmptyPoolCountsAsWhatKeptItEmpty() {
        SQLException wrongPassword = new SQLTransientConnectionException("no connection", "28P01");

        assertThat(PostgresFailures.classify(wrongPassword)).isEqualTo(Failure.FATAL);
    }

    @Test
    void aLostOrReadOnlyServerEndsEveryConnection() {
        assertThat(PostgresFailures.endsConnections(new SQLException("gone", "08006")))
                .isTrue();
        assertThat(PostgresFailures.endsConnections(new SQLException("shutting down", "57P01")))
                .isTrue();
        assertThat(PostgresFailures.endsConnections(new SQLException("read-only", "25006")))
                .isTrue();
        assertThat(PostgresFailures.endsConnections(new SQLException("deadlock", "40P01")))
                .isFalse();
        assertThat(PostgresFailures.endsConnections(new SQLException("cancelled", "57014")))
                .isFalse();
    }

    @Test
    void describesWithTheServersCode() {
        assertThat(PostgresFailures.describe(new SQLException("the server said no", "53300")))
                .isEqualTo("the server said no, SQLSTATE 53300");
    }

    private static Failure classify(String state) {
        return PostgresFailures.classify(new SQLException("test", state));
    }
}
