package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.write.SessionWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The one session of an audit, over the sink's own connections. Its temporary tables are gone when it ends, however it
 * ends. One thread uses it, except for {@link #abort()}.
 */
final class PostgresSession implements AutoCloseable {
    private static final int FETCHED = 1_000;

    private final PoolLease pool;
    private final Connection connection;
    private int tables;

    private PostgresSession(PoolLease pool, Connection connection) {
        this.pool = pool;
        this.connection = connection;
    }

    /** Opens the session. */
    static PostgresSession open(ConnectionSettings settings) throws SQLException {
        PoolLease pool = new PoolLease(requireNonNull(settings, "settings"));
        try {
            PostgresSession session = new PostgresSession(pool, pool.borrow());
            session.connection.setClientInfo("ApplicationName", "tidegate audit");
            // A row that a policy hides would count as missing: the server reports an error instead.
            session.execute("SET row_security = off");
            session.execute("SET lock_timeout = 0"); // unlike a lane, it has nothing else to do meanwhile
            // Before the first temporary table: its pages stay in the session's memory.
            session.execute("SET temp_buffers = '256MB'");
            session.execute("SET work_mem = '64MB'");
            return session;
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /** A new name for a temporary table, as written in a statement. */
    String newTable(String what) {
        tables++;
        return "pg_temp." + TableName.quote("tidegate_audit_" + what + "_" + tables);
    }

    int execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return Math.max(0, statement.getUpdateCount());
        }
    }

    /** Reads a row of a result. */
    @FunctionalInterface
    interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Reads the rows one by one, however many they are. */
    void read(String sql, Binding binding, RowReader reader) throws SQLException {
        boolean isAutoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false); // or the driver would fetch all rows at once
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(FETCHED);
            binding.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        } finally {
            if (isAutoCommit) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    void read(String sql, RowReader reader) throws SQLException {
        read(sql, statement -> {}, reader);
    }

    long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Whether rows of a table refer to those of this one or of its partitions, and may go with them. */
    boolean isReferenced(String table) throws SQLException {
        return number(tree(table) + "SELECT count(*) FROM pg_catalog.pg_constraint WHERE contype = 'f' AND confrelid IN"
                        + " (SELECT id FROM tree)")
                > 0;
    }

    /** The triggers that may make another row, or none, of what the sink writes with these settings. */
    RowTriggers rowTriggers(String table, InsertSettings insert) throws SQLException {
        // Bits of tgtype: 1 for each row, 2 before, 4 insert, 8 delete, 16 update, 64 instead of (pg_trigger.h).
        // TimescaleDB's ts_insert_blocker is on each hypertable, whose rows go to other tables.
        long[] events = new long[1];
        read(
                tree(table) + "SELECT coalesce(bit_or(tgtype::int & 28), 0) FROM pg_catalog.pg_trigger WHERE NOT"
                        + " tgisinternal AND tgenabled IN ('O', 'A') AND tgname <> 'ts_insert_blocker' AND tgtype & 1 > 0"
                        + " AND tgtype & 66 > 0 AND tgrelid IN (SELECT id FROM tree)",
                row -> events[0] = row.getLong(1));
        boolean onInsert = (events[0] & 4) > 0;
        boolean onUpdate = (events[0] & 16) > 0 && insert.mode().isUpdating();
        return new RowTriggers(onInsert, onInsert || onUpdate, (events[0] & 8) > 0 && insert.deletes());
    }

    /** The table, its partitions, and what is behind it if it is a view. */
    private static String tree(String table) {
        return "WITH RECURSIVE tree(id) AS (SELECT pg_catalog.to_regclass(" + SqlExpression.literal(table)
                + ")::oid UNION SELECT below.id FROM tree JOIN (SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits"
                + " UNION ALL SELECT r.ev_class, d.refobjid FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_depend"
                + " AS d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid ="
                + " 'pg_catalog.pg_class'::regclass) AS below(above, id) ON below.above = tree.id) ";
    }

    /** Work that is done completely or not at all. */
    @FunctionalInterface
    interface Work {
        void run() throws SQLException, ToolException, InterruptedException;
    }

    void inTransaction(Work work) throws SQLException, ToolException, InterruptedException {
        connection.setAutoCommit(false);
        boolean isDone = false;
        try {
            work.run();
            connection.commit();
            isDone = true;
        } finally {
            if (!isDone) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    /** A writer of the sink for rows of this kind, which writes over this session. */
    SinkWriter writer(RowSettings row, InsertSettings insert) {
        return new SinkWriter(
                new SessionWriter(pool, connection, row, insert), "PostgreSQL", insert.lastWriteWins(row, false));
    }

    /** Any thread: the statement that runs now ends with an error. */
    void abort() {
        AbortableConnection.discard(connection);
    }

    /** Ends the session on the server, and with it the temporary tables. */
    @Override
    public void close() {
        AbortableConnection.discard(connection);
        try {
            connection.close(); // gives its place in the pool back
        } catch (SQLException e) {
            // The pool learns here that the connection is closed, which is what is wanted.
        } finally {
            pool.close();
        }
    }
}
