package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes batches as single statements in autocommit mode, atomic, one for each table and kind of write.
 * A connection is borrowed for the batch only, so many lanes can share few. One lane's thread, but for {@link #abort()}.
 */
final class PostgresWriter implements BatchWriter {
    /** A row with this key is there already. */
    private static final String UNIQUE_VIOLATION = "23505";

    private final ConnectionPool pool;
    private final TableSettings settings;
    private final Inserts inserts;
    private final RowDelete deletes;
    private final Attempt attempt = new Attempt();
    private final Map<String, TableShape> shapes = new HashMap<>();

    PostgresWriter(ConnectionPool pool, TableSettings settings) {
        this.pool = requireNonNull(pool, "pool");
        this.settings = requireNonNull(settings, "settings");
        this.inserts = new Inserts(settings);
        this.deletes = new RowDelete(settings);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<Run> runs = Run.of(documents, inserts.maxRows(), settings.insertMode() == InsertMode.UPSERT);
        int written = 0;
        try (Connection connection = attempt.borrow(pool)) {
            for (Run run : runs) {
                execute(connection, run);
                written++;
            }
            return List.of();
        } catch (SQLException e) {
            shapes.clear(); // the table may have been altered, or this be another server
            throw failed(e, unwritten(runs, written));
        } finally {
            attempt.end();
        }
    }

    private void execute(Connection connection, Run run) throws SQLException {
        TableShape shape = shapeOf(connection, run.table());
        if (run.isDelete()) {
            deletes.delete(connection, shape, run.documents());
        } else if (settings.insertMode() == InsertMode.IGNORE) {
            insertUnlessThere(connection, shape, run);
        } else {
            insert(connection, shape, run, settings.insertMode() == InsertMode.UPSERT);
        }
    }

    private TableShape shapeOf(Connection connection, String table) throws SQLException {
        TableShape known = shapes.get(table);
        if (known != null) {
            return known;
        }
        TableShape shape = TableShape.of(connection, table);
        shapes.put(table, shape);
        return shape;
    }

    /** Rows are only there already after a redelivery, and looking for them in every statement doubles its cost. */
    private void insertUnlessThere(Connection connection, TableShape shape, Run run) throws SQLException {
        try {
            insert(connection, shape, run, false);
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            insert(connection, shape, run, true);
        }
    }

    private void insert(Connection connection, TableShape shape, Run run, boolean resolving) throws SQLException {
        List<Document> rows = run.documents();
        inserts.choose(shape, rows.size(), resolving).insert(connection, shape, rows, resolving);
    }

    private WriteException failed(SQLException e, List<Document> unwritten) {
        if (PostgresFailures.endsConnections(e)) {
            pool.evictAll(PostgresFailures.describe(e));
        }
        return WriteException.ofAll(PostgresFailures.classify(e), PostgresFailures.describe(e), e, unwritten);
    }

    private static List<Document> unwritten(List<Run> runs, int written) {
        if (runs.size() == 1) {
            return runs.get(0).documents();
        }
        List<Document> rest = new ArrayList<>();
        runs.subList(written, runs.size()).forEach(run -> rest.addAll(run.documents()));
        return rest;
    }

    @Override
    public void abort() {
        attempt.abort();
    }

    @Override
    public void close() {
        // Connections are borrowed for a batch only.
    }
}
