package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Makes HikariCP close a connection after SQLSTATE 25006, because the sink cannot write on it, and keep it after 0A000,
 * because a trigger may raise that for one row. Any thread may call it.
 */
final class ReadOnlyEviction implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException e) {
        if (SqlState.FEATURE_NOT_SUPPORTED.equals(e.getSQLState())) {
            return SQLExceptionOverride.Override.DO_NOT_EVICT;
        }
        return PostgresFailures.isReadOnly(e.getSQLState())
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
}
