package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.CopyInsert;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.RowInsert;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches as single statements in autocommit mode, atomic, one for each table and kind of write.
 * With an offset fence a batch and its offsets are committed together.
 * A connection is borrowed for the batch only, so many lanes can share few. One lane's thread, but for {@link #abort()}.
 */
public final class PostgresWriter implements BatchWriter {
    private static final Logger log = LoggerFactory.getLogger(PostgresWriter.class);

    private static final String FEATURE_NOT_SUPPORTED = "0A000";

    private static final String NO_TRANSACTIONS = "%s with delivery.guarantee=exactly_once needs a transaction, which a"
            + " pooler in statement mode does not take; use transaction mode there, or insert.method=unnest for rows that"
            + " are appended";

    /** A row with this key is there already. */
    private static final String UNIQUE_VIOLATION = "23505";

    private final PoolLease pool;
    private final InsertMode mode;
    private final RowGroup.Keys keys;
    private final InsertStrategy inserts;
    private final RowDelete deletes;
    private final PoisonRowFinder culprits;
    private final Optional<TableCreation> creation;
    private final Optional<OffsetFence> fence;
    private final AbortableConnection attempt = new AbortableConnection();
    private final Map<String, TableShape> shapes = new HashMap<>();
    private boolean transactionsRefused; // by a pooler
    private Optional<RowGroup> executing = Optional.empty(); // the last one that was sent
    private String statement = ""; // how the last insert was sent, for dead letters

    public PostgresWriter(
            PoolLease pool,
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            Optional<OffsetFence> fence) {
        this.pool = requireNonNull(pool, "pool");
        this.mode = requireNonNull(insert, "insert").mode();
        this.creation = requireNonNull(creation, "creation");
        this.fence = requireNonNull(fence, "fence");
        this.keys = keysOf(row, insert, fence.isPresent());
        RowSql sql = new RowSql(row, insert);
        this.inserts = new InsertStrategy(insert.method(), sql);
        this.deletes = new RowDelete(row, insert.guard());
        this.culprits = new PoisonRowFinder(row.valueColumn(), new UnnestInsert(sql), deletes);
    }

    private static RowGroup.Keys keysOf(RowSettings row, InsertSettings insert, boolean isExactlyOnce) {
        if (!insert.mode().isUpdating()) {
            return RowGroup.Keys.ANY;
        }
        boolean areUnique = !row.keyMode().isRepeating() || insert.lastWriteWins(isExactlyOnce);
        return areUnique ? RowGroup.Keys.UNIQUE : RowGroup.Keys.IN_TURN;
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        executing = Optional.empty();
        try (Connection connection = attempt.borrow(pool)) {
            return fence.isPresent() ? writeOnce(connection, documents, fence.get()) : write(connection, documents);
        } catch (SQLException e) {
            throw failed(PostgresFailures.classifyWithoutRows(e), e, e, documents);
        } finally {
            attempt.end();
        }
    }

    /** Each run is committed by itself; what is committed is not written again. */
    private List<Refusal> write(Connection connection, List<Document> documents) throws WriteException {
        List<RowGroup> runs = runsOf(documents);
        int written = 0;
        try {
            for (RowGroup run : runs) {
                execute(connection, run, Optional.empty());
                written++;
            }
            return List.of();
        } catch (SQLException e) {
            return failed(connection, e, unwritten(runs, written));
        }
    }

    /** Rows and offsets are committed together: in one statement if there is one, in a transaction if there are more. */
    private List<Refusal> writeOnce(Connection connection, List<Document> documents, OffsetFence mine)
            throws SQLException, WriteException {
        List<Document> unwritten = mine.unwritten(connection, documents);
        if (unwritten.isEmpty()) {
            return List.of();
        }
        List<RowGroup> runs = runsOf(unwritten);
        for (RowGroup run : runs) {
            shapeOf(connection, run.table()); // before a transaction, which creating a table at the same time would end
        }
        try {
            if (runs.size() == 1 && !runs.get(0).isDelete() && !isCopied(connection, runs.get(0))) {
                execute(connection, runs.get(0), fence);
                mine.moved(unwritten);
            } else if (transactionsRefused) {
                writeOneByOne(connection, unwritten, mine);
            } else {
                writeInTransaction(connection, runs, unwritten, mine);
                mine.moved(unwritten);
            }
            return List.of();
        } catch (SQLException e) {
            mine.doubt();
            if (PostgresFailures.refusesTransactions(e)) {
                return failed(connection, withoutTransactions(e), unwritten);
            }
            SQLException known = OffsetFence.LOST.equals(e.getSQLState()) ? mine.explainLost(connection, e) : e;
            return failed(connection, known, unwritten);
        }
    }

    private boolean isCopied(Connection connection, RowGroup run) throws SQLException {
        TableShape shape = shapeOf(connection, run.table());
        return inserts.choose(shape, run.documents().size(), isAlwaysResolving()) instanceof CopyInsert;
    }

    /** A pooler that gives each statement another connection takes none; the same documents come again. */
    private SQLException withoutTransactions(SQLException refusal) {
        if (inserts.isCopyDemanded()) {
            return new SQLException(NO_TRANSACTIONS.formatted("insert.method=copy"), FEATURE_NOT_SUPPORTED, refusal);
        }
        if (!transactionsRefused) {
            transactionsRefused = true;
            inserts.avoidCopy();
            log.info("A pooler in statement mode takes no transactions: writing without COPY, one statement at a time");
        }
        return refusal;
    }

    /** Each statement moves the offsets of its own documents, so they have to be in the order of their offsets. */
    private void writeOneByOne(Connection connection, List<Document> documents, OffsetFence mine) throws SQLException {
        for (RowGroup run : RowGroup.consecutive(documents, inserts.maxRows())) {
            if (run.isDelete()) {
                throw new SQLException(NO_TRANSACTIONS.formatted("a deletion"), FEATURE_NOT_SUPPORTED);
            }
            execute(connection, run, fence);
            mine.moved(run.documents());
        }
    }

    private void writeInTransaction(
            Connection connection, List<RowGroup> runs, List<Document> documents, OffsetFence mine)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            mine.move(connection, documents);
            for (RowGroup run : runs) {
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

    private List<RowGroup> runsOf(List<Document> documents) {
        return RowGroup.of(documents, inserts.maxRows(), keys);
    }

    private boolean isAlwaysResolving() {
        return mode.isUpdating();
    }

    private void execute(Connection connection, RowGroup run, Optional<OffsetFence> moving) throws SQLException {
        TableShape shape = shapeOf(connection, run.table());
        executing = Optional.of(run);
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
    private void insertUnlessThere(Connection connection, TableShape shape, RowGroup run, Optional<OffsetFence> moving)
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
            Connection connection, TableShape shape, RowGroup run, boolean resolving, Optional<OffsetFence> moving)
            throws SQLException {
        List<Document> rows = run.documents();
        RowInsert way = inserts.choose(shape, rows.size(), resolving);
        statement = way instanceof CopyInsert ? "copy" : resolving ? "insert on conflict" : "insert";
        way.insert(connection, shape, rows, resolving, moving);
    }

    /**
     * A statement with rows failed, or was about to.
     *
     * @return those at fault, when they are all that is left
     */
    private List<Refusal> failed(Connection connection, SQLException e, List<Document> unwritten)
            throws WriteException {
        Failure failure = PostgresFailures.classify(e);
        if (failure != Failure.REJECTED) {
            throw failed(failure, e, e, unwritten);
        }
        List<Refusal> refusals;
        try {
            refusals = refusalsIn(connection, e);
        } catch (SQLException aborted) {
            throw failed(PostgresFailures.classify(aborted), aborted, aborted, unwritten);
        }
        if (refusals.isEmpty()) {
            throw failed(failure, e, withPlace(PostgresFailures.refusal(e), unwritten.get(0)), unwritten);
        }
        Set<Document> refused = refusals.stream().map(Refusal::document).collect(Collectors.toSet());
        List<Document> rest =
                unwritten.stream().filter(each -> !refused.contains(each)).toList();
        if (!rest.isEmpty()) {
            throw WriteException.ofSome(failure, PostgresFailures.describe(e), rest, refusals, Optional.empty());
        }
        return refusals;
    }

    private List<Refusal> refusalsIn(Connection connection, SQLException e) throws SQLException {
        if (executing.isEmpty()) {
            return List.of();
        }
        RowGroup run = executing.get();
        boolean resolving = mode != InsertMode.INSERT;
        return culprits.in(run, e, connection, shapes.get(run.table()), resolving).stream()
                .map(refusal -> new Refusal(refusal.document(), withPlace(refusal.reason(), refusal.document())))
                .toList();
    }

    private RefusedException withPlace(RefusedException reason, Document document) {
        return reason.with("table", document.destination())
                .with("statement", document.isDelete() ? "delete" : statement);
    }

    private WriteException failed(Failure failure, SQLException e, Exception cause, List<Document> unwritten) {
        shapes.clear(); // the table may have been altered, or this be another server
        if (PostgresFailures.endsConnections(e)) {
            pool.evictAll(PostgresFailures.describe(e));
        }
        return WriteException.ofAll(failure, PostgresFailures.describe(e), cause, unwritten);
    }

    private static List<Document> unwritten(List<RowGroup> runs, int written) {
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
