package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

final class PostgresFailuresTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "08000",
                "08001",
                "08003",
                "08004",
                "08006",
                "08007",
                "08P01", // connection
                "25006",
                "25P03", // read-only, idle for too long
                "53000",
                "53300",
                "53400", // resources
                "57000",
                "57P01",
                "57P02",
                "57P03",
                "57P04",
                "57P05", // operator
                "58000",
                "58030",
                "58P01",
                "72000",
                "XX000" // system
            })
    void outagesAreTransient(String state) {
        assertThat(classify(state)).isEqualTo(Failure.TRANSIENT);
    }

    /** Without a statement for a table, nothing says which one is at fault. */
    @ParameterizedTest
    @CsvSource({"53100, TRANSIENT", "55P03, BUSY"})
    void aFullDiskAndALockAreOfTheTable(String state, Failure withoutTable) {
        SQLException e = new SQLException("no", state);

        assertThat(PostgresFailures.classify(e)).isEqualTo(Failure.DESTINATION);
        assertThat(PostgresFailures.classifyWithoutRows(e)).isEqualTo(withoutTable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40000", "40001", "40002", "40003", "40P01"})
    void anotherTransactionInTheWayIsNoOutage(String state) {
        assertThat(classify(state)).isEqualTo(Failure.BUSY);
        assertThat(PostgresFailures.classifyWithoutRows(new SQLException("test", state)))
                .isEqualTo(Failure.BUSY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "21000",
                "27000",
                "42804",
                "44000",
                "22000",
                "22001",
                "22003",
                "22007",
                "22008",
                "22012",
                "22021",
                "22023",
                "22030",
                "22P01",
                "22P02",
                "22P03",
                "22P04",
                "22P05",
                "23000",
                "23001",
                "23502",
                "23503",
                "23505",
                "23514",
                "23P01",
                "54000",
                "54001",
                "54011",
                "54023",
                "09000",
                "38000",
                "45000",
                "20000",
                "24000",
                "2D000",
                "2F005",
                "34000",
                "39004",
                "39P01",
                "P0001",
                "P0002",
                "P0003",
                "P0004",
                "MY001" // raised by triggers
            })
    void dataErrorsAreRejected(String state) {
        assertThat(classify(state)).isEqualTo(Failure.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0A000", "25001", "25P02", "28000", "28P01", "3D000", "3F000", "42501", "42601", "42703", "42883",
                "42P01", "42P10", "55000", "55006", "F0000", "HV000", "XX001", "XX002", "?", ""
            })
    void everythingElseIsForAHuman(String state) {
        assertThat(classify(state)).isEqualTo(Failure.FATAL);
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, true",
        "28000, true",
        "08001, true",
        "3D000, true",
        "42501, true",
        "42P01, false",
        "42703, false",
        "55000, false",
        "XX001, false"
    })
    void anotherUserOrServerMayHealARefusedAccessAndNothingElse(String state, boolean isAccessRefused) {
        assertThat(ConnectionFailures.isAccessRefused(new SQLException("test", state)))
                .isEqualTo(isAccessRefused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25P04", "53200", "57014"})
    void whatTheServerHasNoTimeOrMemoryForIsTooMuch(String state) {
        assertThat(classify(state)).isEqualTo(Failure.TOO_MUCH);
        assertThat(PostgresFailures.classifyWithoutRows(new SQLException("test", state)))
                .isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void anAnswerThatDoesNotComeInTimeMayBeTooMuch() {
        SQLException late = new SQLException("no answer", "08006", new SocketTimeoutException("Read timed out"));

        assertThat(PostgresFailures.classify(late)).isEqualTo(Failure.TOO_MUCH);
        assertThat(PostgresFailures.endsConnections(late)).isTrue();
    }

    @Test
    void waitingForAConnectionIsNoOutage() {
        assertThat(PostgresFailures.classifyWithoutRows(new SQLTransientConnectionException("none is free")))
                .isEqualTo(Failure.BUSY);
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

    /** A server passes on what the server of a foreign table answers. An error that ends the session is worse than ERROR. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SERROR|C08001||false",
                "SERROR|C57P01|Wremote SQL command: INSERT|false",
                "SERROR|C25006|Wremote SQL command: INSERT|false",
                "SERROR|C25006||true",
                "SFATAL|C57P01|WPL/pgSQL function f() line 1|true",
                "SFATAL|C08P01||true",
                "SERROR|C08P01||true"
            })
    void anErrorOfAnotherServerEndsNoConnection(String severity, String state, String context, boolean isOurs) {
        SQLException e =
                serverError(severity + "\0" + state + "\0Mtext\0" + (context == null ? "" : context + "\0") + "\0");

        assertThat(PostgresFailures.endsConnections(e)).isEqualTo(isOurs);
        assertThat(PostgresFailures.classify(e)).isEqualTo(isOurs ? Failure.TRANSIENT : Failure.DESTINATION);
    }

    @Test
    void whatFailsBeforeARowIsSentIsNoRecordsFault() {
        assertThat(PostgresFailures.classifyWithoutRows(new SQLException("invalid option", "22023")))
                .isEqualTo(Failure.FATAL);
        assertThat(PostgresFailures.classifyWithoutRows(new SQLException("down", "08001")))
                .isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void aTypeThatFitsNoValueIsForAHumanAndOneThatDoesNotFitThisValueIsTheRecordsFault() {
        String parsed = "SERROR\0VERROR\0C42804\0Mcolumn \"doc\" is of type integer\0P21\0\0";
        String executed = "SERROR\0VERROR\0C42804\0Mreturned type differs\0\0";

        assertThat(PostgresFailures.classify(serverError(parsed))).isEqualTo(Failure.FATAL);
        assertThat(PostgresFailures.classify(serverError(executed))).isEqualTo(Failure.REJECTED);
    }

    @Test
    void theRoutineTellsWhoseFaultAStateIs() {
        String error = "SERROR\0VERROR\0C%s\0Mwhatever the language\0R%s\0\0";

        assertThat(PostgresFailures.classify(serverError(error.formatted("54000", "GetNewTransactionId"))))
                .isEqualTo(Failure.TRANSIENT);
        assertThat(PostgresFailures.classify(serverError(error.formatted("54000", "index_form_tuple"))))
                .isEqualTo(Failure.REJECTED);

        assertThat(PostgresFailures.classify(serverError(error.formatted("23514", "ExecFindPartition"))))
                .isEqualTo(Failure.DESTINATION);
        assertThat(PostgresFailures.classify(serverError(error.formatted("23514", "ExecPartitionCheckEmitError"))))
                .isEqualTo(Failure.REJECTED);
        assertThat(PostgresFailures.classify(serverError(error.formatted("42501", "ExecWithCheckOptions"))))
                .isEqualTo(Failure.REJECTED);
        assertThat(PostgresFailures.classify(serverError(error.formatted("42501", "aclcheck_error"))))
                .isEqualTo(Failure.FATAL);
    }

    @Test
    void tellsADeadLetterWhatTheServerToldButNotTheRow() {
        RefusedException refusal =
                PostgresFailures.refusal(serverError("SERROR\0VERROR\0C23514\0Mnew row violates check \"positive\"\0"
                        + "DFailing row contains (-1, secret).\0spublic\0treadings\0clevel\0npositive\0\0"));

        assertThat(refusal)
                .hasMessage("new row violates check \"positive\", table readings, column level, constraint positive,"
                        + " SQLSTATE 23514")
                .hasNoCause();
        assertThat(refusal.facts())
                .containsExactly(
                        entry("kind", "constraint"),
                        entry("sqlstate", "23514"),
                        entry("constraint", "positive"),
                        entry("column", "level"));
    }

    /** An error as the protocol carries it: fields of a letter and a text, each ended by a zero byte. */
    private static PSQLException serverError(String fields) {
        return new PSQLException(new ServerErrorMessage(fields));
    }

    @Test
    void tellsAServerWhichStatesAreARecordsFault() {
        Pattern states = Pattern.compile(PostgresFailures.statesOfRecords(ErrorOverrides.NONE));

        assertThat(Stream.of("22P02", "23505", "42804", "54001", "P0001", "MY001", "20000", "2F005"))
                .allMatch(state -> states.matcher(state).find());
        assertThat(Stream.of("40P01", "53100", "42703", "57014", "XX000", "12322", "2200H"))
                .noneMatch(state -> states.matcher(state).find());
    }

    @Test
    void anOverrideOfAStateHasPriorityOverOneOfItsClass() {
        Pattern states = Pattern.compile(PostgresFailures.statesOfRecords(SqlStateCodes.from(new AbstractConfig(
                SqlStateCodes.define(new ConfigDef()),
                Map.of(
                        ErrorOverrides.ERROR_OVERRIDES,
                        "23:fail, 23503:refuse, 22P02:fail, 42P01:retry:1m, 0A:dlq, 42:refuse")))));

        assertThat(Stream.of("23503", "22012", "42P01", "0A000", "MY001", "42703", "42501"))
                .allMatch(state -> states.matcher(state).find());
        assertThat(Stream.of("23505", "22P02", "57014", "2200H"))
                .noneMatch(state -> states.matcher(state).find());
    }

    @Test
    void saysWhatAHumanCanDo() {
        assertThat(PostgresFailures.describe(new SQLException("canceling statement", "57014")))
                .isEqualTo(
                        "canceling statement, SQLSTATE 57014; if this is not a person who cancelled it, it exceeded the"
                                + " server's statement_timeout");
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
