package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes batches as multi-row statements in autocommit mode: one round trip, atomic, for each table and kind of write.
 * A connection is borrowed for the batch only, so many lanes can share few. One lane's thread, but for {@link #abort()}.
 */
final class PostgresWriter implements BatchWriter {
    /** A row with this key is there already. */
    private static final String UNIQUE_VIOLATION = "23505";

    private final ConnectionPool pool;
    private final TableSettings settings;
    private final RowStatements statements;
    private final Attempt attempt = new Attempt();

    PostgresWriter(ConnectionPool pool, TableSettings settings) {
        this.pool = requireNonNull(pool, "pool");
        this.settings = requireNonNull(settings, "settings");
        this.statements = new RowStatements(settings);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<Run> runs = Run.of(documents, statements.maxRows(), settings.insertMode() == InsertMode.UPSERT);
        int written = 0;
        try (Connection connection = attempt.borrow(pool)) {
            for (Run run : runs) {
                execute(connection, run);
                written++;
            }
            return List.of();
        } catch (SQLException e) {
            throw failed(e, unwritten(runs, written));
        } finally {
            attempt.end();
        }
    }

    private void execute(Connection connection, Run run) throws SQLException {
        if (run.isDelete()) {
            try (PreparedStatement statement = connection.prepareStatement(
                    statements.delete(run.table(), run.documents().size()))) {
                statements.bindDelete(statement, run.documents());
                statement.executeUpdate();
            }
        } else if (settings.insertMode() == InsertMode.IGNORE) {
            insertUnlessThere(connection, run);
        } else {
            insert(connection, run, settings.insertMode() == InsertMode.UPSERT);
        }
    }

    /** Rows are only there already after a redelivery, and looking for them in every statement doubles its cost. */
    private void insertUnlessThere(Connection connection, Run run) throws SQLException {
        try {
            insert(connection, run, false);
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            insert(connection, run, true);
        }
    }

    private void insert(Connection connection, Run run, boolean resolving) throws SQLException {
        String text = statements.insert(run.table(), run.documents().size(), resolving);
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statements.bindInsert(statement, run.documents());
            statement.executeUpdate();
        }
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
