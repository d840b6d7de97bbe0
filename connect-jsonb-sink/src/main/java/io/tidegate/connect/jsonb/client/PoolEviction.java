package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Makes HikariCP close a connection after SQLSTATE 25006, because the sink cannot write on it, and after 25P04, because the
 * server has ended it. Keeps it after 0A000, because a trigger may raise that for one row, and after the error of another
 * server that the statement needs. Any thread may call it.
 */
final class PoolEviction implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException e) {
        if (SqlState.FEATURE_NOT_SUPPORTED.equals(e.getSQLState()) || PostgresFailures.isOfAnotherServer(e)) {
            return SQLExceptionOverride.Override.DO_NOT_EVICT;
        }
        return PostgresFailures.isReadOnly(e.getSQLState()) || hasEnded(e)
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }

    /** A trigger may raise the same as an error, after which the session goes on. */
    private static boolean hasEnded(SQLException e) {
        return SqlState.TRANSACTION_TIMEOUT.equals(e.getSQLState())
                && PostgresFailures.serverError(e)
                        .map(ServerErrorMessage::getSeverity)
                        .filter("ERROR"::equals)
                        .isEmpty();
    }
}
