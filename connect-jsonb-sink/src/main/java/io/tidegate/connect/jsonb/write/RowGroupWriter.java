package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.write.KnownTables.Known;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Writes groups, each as one statement, in the way that fits its table. One lane uses it. */
final class RowGroupWriter {
    private final InsertMode mode;
    private final boolean isExactlyOnce;
    private final KnownTables tables;
    private final InsertStrategy strategy;
    private final ConflictPlan plan;
    private final RowDelete deletes;
    private final LongAdder kept = new LongAdder(); // rows that met an existing row, which stayed

    RowGroupWriter(
            InsertMode mode,
            boolean isExactlyOnce,
            KnownTables tables,
            InsertStrategy strategy,
            ConflictPlan plan,
            RowDelete deletes) {
        this.mode = requireNonNull(mode, "mode");
        this.isExactlyOnce = isExactlyOnce;
        this.tables = requireNonNull(tables, "tables");
        this.strategy = requireNonNull(strategy, "strategy");
        this.plan = requireNonNull(plan, "plan");
        this.deletes = requireNonNull(deletes, "deletes");
    }

    /** See {@link io.tidegate.connect.common.spi.BatchWriter#kept}. */
    long kept() {
        return kept.sum();
    }

    /**
     * Writes or deletes the rows of a group.
     *
     * @param moving moves the offsets in the same statement; empty if nothing does, or an earlier statement of a
     *     transaction does, which then only copies
     */
    void write(Connection connection, RowGroup group, Optional<OffsetFence> moving) throws RowGroupException {
        Known table = tables.lookUp(connection, group);
        if (group.isDelete()) {
            delete(connection, table, group);
            return;
        }
        boolean isPlain = plan.isPlain(table);
        try {
            insert(connection, table, group, !isPlain, moving);
            table.forecast().written();
        } catch (RowGroupException e) {
            boolean isInTransaction = isExactlyOnce && moving.isEmpty(); // which the error has ended
            if (isInTransaction || !isDuplicate(e)) {
                throw e;
            }
            if (!mode.isResolving()) {
                insertUnstored(connection, table, group, e);
                return;
            }
            resolve(connection, table, group, isPlain, moving);
        }
    }

    private static boolean isDuplicate(RowGroupException e) {
        return SqlState.UNIQUE_VIOLATION.equals(e.error().getSQLState());
    }

    /**
     * Writes rows that met an existing one. While {@code REINDEX CONCURRENTLY} exchanges an index, that may also be the
     * fault of no row, so a statement that resolves conflicts is sent once more.
     */
    private void resolve(
            Connection connection, Known table, RowGroup group, boolean isFirst, Optional<OffsetFence> moving)
            throws RowGroupException {
        try {
            insert(connection, table, group, true, moving);
            if (isFirst) {
                table.forecast().missed();
            }
        } catch (RowGroupException e) {
            if (!isFirst || !isDuplicate(e)) {
                throw e;
            }
            resolve(connection, table, group, false, moving);
        }
    }

    /**
     * Writes those of the rows that are not stored yet: the answer to an earlier attempt may have been lost. Rows that
     * differ from what is stored under their key are at fault, as before. So are all where no index tells rows by their
     * key: each look would read the whole table, and a row that is stored may leave room for an equal one. So are all
     * with exactly once, where the offsets tell what is stored.
     */
    private void insertUnstored(Connection connection, Known table, RowGroup group, RowGroupException duplicate)
            throws RowGroupException {
        if (isExactlyOnce || table.shape().keyIndex().isEmpty()) {
            throw duplicate;
        }
        try {
            insert(connection, table, group, true, Optional.empty());
        } catch (RowGroupException e) {
            throw SqlState.INSUFFICIENT_PRIVILEGE.equals(e.error().getSQLState()) ? duplicate : e;
        }
    }

    private void delete(Connection connection, Known table, RowGroup group) throws RowGroupException {
        try {
            deletes.delete(connection, table.shape(), group.documents());
        } catch (SQLException e) {
            throw new RowGroupException(group, "delete", strategy.explain(table.shape(), false, e));
        }
    }

    private void insert(
            Connection connection, Known table, RowGroup group, boolean onConflict, Optional<OffsetFence> moving)
            throws RowGroupException {
        boolean isCopied = moving.isEmpty() && strategy.copies(table.shape(), group.documents(), onConflict);
        try {
            int changed = isCopied
                    ? strategy.copy(connection, table.shape(), group.documents())
                    : strategy.statement().insert(connection, table.shape(), group.documents(), onConflict, moving);
            kept.add(onConflict ? group.documents().size() - changed : 0);
            strategy.taken(table.shape(), isCopied);
        } catch (SQLException e) {
            String statement = isCopied ? "copy" : onConflict ? "insert on conflict" : "insert";
            throw new RowGroupException(group, statement, strategy.explain(table.shape(), isCopied, e));
        }
    }

    /**
     * Writes or deletes the rows of groups in one round trip and one commit. An error names none of the groups.
     *
     * @param joint receives their statements, after those that it already has
     */
    void writeJointly(Connection connection, List<RowGroup> groups, JointStatement joint) throws SQLException {
        Map<Integer, Integer> resolving = new HashMap<>(); // rows by the place of their statement
        for (RowGroup group : groups) {
            Known table = tables.known(connection, group.table());
            if (group.isDelete()) {
                deletes.addTo(joint, table.shape(), group.documents());
                continue;
            }
            boolean onConflict = !plan.isPlainAmongOthers(table);
            if (onConflict) {
                resolving.put(joint.size(), group.documents().size());
            }
            strategy.statement().addTo(joint, table.shape(), group.documents(), onConflict);
        }
        List<Integer> changed = joint.execute(connection);
        for (RowGroup group : groups) {
            if (!group.isDelete()) {
                strategy.taken(tables.known(connection, group.table()).shape(), false);
            }
        }
        if (!changed.isEmpty()) {
            resolving.forEach((place, rows) -> kept.add(rows - changed.get(place)));
        }
        if (!mode.isUpdating() && !isExactlyOnce) {
            for (RowGroup group : groups) {
                if (!group.isDelete()) {
                    tables.known(connection, group.table()).forecast().written();
                }
            }
        }
    }
}
