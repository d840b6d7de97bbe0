package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** HikariCP keeps a connection after SQLSTATE 25006; a sink does not want one that cannot write. Any thread. */
final class ReadOnlyEviction implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException e) {
        return PostgresFailures.isReadOnly(e.getSQLState())
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
}
