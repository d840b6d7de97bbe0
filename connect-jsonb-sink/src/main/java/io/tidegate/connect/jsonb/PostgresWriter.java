package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes batches as single statements in autocommit mode, atomic, one for each table and kind of write.
 * With an offset fence a batch and its offsets are committed together.
 * A connection is borrowed for the batch only, so many lanes can share few. One lane's thread, but for {@link #abort()}.
 */
final class PostgresWriter implements BatchWriter {
    /** A row with this key is there already. */
    private static final String UNIQUE_VIOLATION = "23505";

    private final ConnectionPool pool;
    private final InsertMode mode;
    private final Run.Keys keys;
    private final Inserts inserts;
    private final RowDelete deletes;
    private final Optional<TableCreation> creation;
    private final Optional<OffsetFence> fence;
    private final Attempt attempt = new Attempt();
    private final Map<String, TableShape> shapes = new HashMap<>();

    PostgresWriter(
            ConnectionPool pool,
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            Optional<OffsetFence> fence) {
        this.pool = requireNonNull(pool, "pool");
        this.mode = requireNonNull(insert, "insert").mode();
        this.creation = requireNonNull(creation, "creation");
        this.fence = requireNonNull(fence, "fence");
        this.keys = keysOf(row, insert, fence.isPresent());
        this.inserts = new Inserts(insert.method(), new RowSql(row, insert));
        this.deletes = new RowDelete(row, insert.guard());
    }

    private static Run.Keys keysOf(RowSettings row, InsertSettings insert, boolean isExactlyOnce) {
        if (!insert.mode().isUpdating()) {
            return Run.Keys.ANY;
        }
        boolean areUnique = !row.keyMode().isRepeating() || PostgresTarget.lastWriteWins(insert, isExactlyOnce);
        return areUnique ? Run.Keys.UNIQUE : Run.Keys.IN_TURN;
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try (Connection connection = attempt.borrow(pool)) {
            if (fence.isPresent()) {
                writeOnce(connection, documents, fence.get());
            } else {
                write(connection, documents);
            }
            return List.of();
        } catch (SQLException e) {
            throw failed(e, documents);
        } finally {
            attempt.end();
        }
    }

    /** Each run is committed by itself; what is committed is not written again. */
    private void write(Connection connection, List<Document> documents) throws SQLException, WriteException {
        List<Run> runs = runsOf(documents);
        int written = 0;
        try {
            for (Run run : runs) {
                execute(connection, run, Optional.empty());
                written++;
            }
        } catch (SQLException e) {
            throw failed(e, unwritten(runs, written));
        }
    }

    /** Rows and offsets are committed together: in one statement if there is one, in a transaction if there are more. */
    private void writeOnce(Connection connection, List<Document> documents, OffsetFence mine) throws SQLException {
        List<Document> unwritten = mine.unwritten(connection, documents);
        if (unwritten.isEmpty()) {
            return;
        }
        List<Run> runs = runsOf(unwritten);
        for (Run run : runs) {
            shapeOf(connection, run.table()); // before a transaction, which creating a table at the same time would end
        }
        try {
            if (runs.size() == 1 && !runs.get(0).isDelete() && !isCopied(connection, runs.get(0))) {
                execute(connection, runs.get(0), fence);
            } else {
                writeInTransaction(connection, runs, unwritten, mine);
            }
            mine.moved(unwritten);
        } catch (SQLException e) {
            mine.doubt();
            throw OffsetFence.LOST.equals(e.getSQLState()) ? mine.explainLost(connection, e) : e;
        }
    }

    private boolean isCopied(Connection connection, Run run) throws SQLException {
        TableShape shape = shapeOf(connection, run.table());
        return inserts.choose(shape, run.documents().size(), isAlwaysResolving()) instanceof CopyInsert;
    }

    private void writeInTransaction(Connection connection, List<Run> runs, List<Document> documents, OffsetFence mine)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            mine.move(connection, documents);
            for (Run run : runs) {
                execute(connection, run, Optional.empty());
            }
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    /** Before anything else: leaving the transaction by switching to autocommit would commit the offsets without rows. */
    private static void rollBack(Connection connection, Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e); // the connection is gone, and the transaction with it
        }
    }

    private List<Run> runsOf(List<Document> documents) {
        return Run.of(documents, inserts.maxRows(), keys);
    }

    private boolean isAlwaysResolving() {
        return mode.isUpdating();
    }

    private void execute(Connection connection, Run run, Optional<OffsetFence> moving) throws SQLException {
        TableShape shape = shapeOf(connection, run.table());
        if (run.isDelete()) {
            deletes.delete(connection, shape, run.documents());
        } else if (mode == InsertMode.IGNORE) {
            insertUnlessThere(connection, shape, run, moving);
        } else {
            insert(connection, shape, run, isAlwaysResolving(), moving);
        }
    }

    private TableShape shapeOf(Connection connection, String table) throws SQLException {
        TableShape known = shapes.get(table);
        if (known != null) {
            return known;
        }
        TableShape shape = TableShape.of(connection, table);
        if (!shape.exists() && creation.isPresent()) {
            creation.get().create(connection, table);
            shape = TableShape.of(connection, table);
        }
        shapes.put(table, shape);
        return shape;
    }

    /** Rows are only there already after a redelivery, and looking for them in every statement doubles its cost. */
    private void insertUnlessThere(Connection connection, TableShape shape, Run run, Optional<OffsetFence> moving)
            throws SQLException {
        if (!connection.getAutoCommit()) {
            insert(connection, shape, run, true, moving); // an error would end the transaction
            return;
        }
        try {
            insert(connection, shape, run, false, moving);
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            insert(connection, shape, run, true, moving);
        }
    }

    private void insert(
            Connection connection, TableShape shape, Run run, boolean resolving, Optional<OffsetFence> moving)
            throws SQLException {
        List<Document> rows = run.documents();
        inserts.choose(shape, rows.size(), resolving).insert(connection, shape, rows, resolving, moving);
    }

    private WriteException failed(SQLException e, List<Document> unwritten) {
        shapes.clear(); // the table may have been altered, or this be another server
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
