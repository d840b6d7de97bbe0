package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.StandbyWait;
import io.tidegate.connect.jsonb.write.KnownTables.Known;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Writes groups, each as one statement, in the way that fits its table. One lane uses it. */
final class RowGroupWriter {
    private final KnownTables tables;
    private final InsertStrategy strategy;
    private final ConflictPlan plan;
    private final RowDelete deletes;
    private final KeptRows keptOfTask;
    private final StandbyWait standbys = new StandbyWait();
    private final LongAdder kept = new LongAdder();

    RowGroupWriter(
            KnownTables tables, InsertStrategy strategy, ConflictPlan plan, RowDelete deletes, KeptRows keptOfTask) {
        this.keptOfTask = requireNonNull(keptOfTask, "keptOfTask");
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
     * Writes or deletes the rows of a group in one round trip and one commit.
     *
     * @param fence moves the offsets together with the rows; empty if nothing does
     */
    void write(Connection connection, RowGroup group, Optional<OffsetFence> fence) throws RowGroupException {
        Known table = tables.lookUp(connection, group);
        if (group.isDelete()) {
            send(connection, table, group, false, fence);
            return;
        }
        boolean isPlain = plan.isPlain(table);
        try {
            send(connection, table, group, !isPlain, fence);
            table.forecast().written();
        } catch (RowGroupException e) {
            if (!e.isDuplicate()) {
                throw e;
            }
            if (plan.isResolving()) {
                resolve(connection, table, group, isPlain, fence);
            } else {
                insertUnstored(connection, table, group, e, fence);
            }
        }
    }

    /**
     * Writes rows that met an existing one. While {@code REINDEX CONCURRENTLY} exchanges an index, that may also be the
     * fault of no row, so a statement that resolves conflicts is sent once more.
     */
    private void resolve(
            Connection connection, Known table, RowGroup group, boolean isFirst, Optional<OffsetFence> fence)
            throws RowGroupException {
        try {
            send(connection, table, group, true, fence);
            if (isFirst) {
                table.forecast().missed();
            }
        } catch (RowGroupException e) {
            if (!isFirst || !e.isDuplicate()) {
                throw e;
            }
            resolve(connection, table, group, false, fence);
        }
    }

    /**
     * Writes those of the rows that are not stored yet: the answer to an earlier attempt may have been lost, or somebody
     * has set the offsets back. Rows that
     * differ from what is stored under their key are at fault, as before. So are all where {@link KnownTables} looks for
     * no index that tells rows by their key: each look would read the whole table, and a row that is stored may leave
     * room for an equal one.
     */
    private void insertUnstored(
            Connection connection,
            Known table,
            RowGroup group,
            RowGroupException duplicate,
            Optional<OffsetFence> fence)
            throws RowGroupException {
        if (table.shape().keyIndex().isEmpty()) {
            throw duplicate;
        }
        try {
            send(connection, table, group, true, fence);
        } catch (RowGroupException e) {
            throw SqlState.INSUFFICIENT_PRIVILEGE.equals(e.error().getSQLState()) ? duplicate : e;
        }
    }

    private void send(
            Connection connection, Known table, RowGroup group, boolean onConflict, Optional<OffsetFence> fence)
            throws RowGroupException {
        boolean isCopied = fence.isEmpty()
                && !group.isDelete()
                && strategy.copies(group.shape(table.shape()), group.documents(), onConflict)
                && copy(connection, table, group);
        if (isCopied) {
            return;
        }
        JointStatement statements = new JointStatement();
        fence.ifPresent(moving -> moving.addTo(statements, group.documents()));
        try {
            send(connection, List.of(addTo(statements, table, group, onConflict)), statements);
        } catch (SQLException e) {
            String statement = group.isDelete() ? "delete" : onConflict ? "insert on conflict" : "insert";
            throw new RowGroupException(group, statement, strategy.explain(table.shape(), false, e));
        }
    }

    /**
     * Only copies the rows of a group, which {@link ConflictPlan#copies} allows. A transaction may be open.
     *
     * @return false if nothing was sent, because the rows need another statement
     */
    boolean copy(Connection connection, RowGroup group) throws RowGroupException {
        return copy(connection, tables.lookUp(connection, group), group);
    }

    private boolean copy(Connection connection, Known table, RowGroup group) throws RowGroupException {
        try {
            boolean isCopied = strategy.copy(connection, group.shape(table.shape()), group.documents());
            if (isCopied) {
                strategy.takenFor(table.shape());
                strategy.taken(table.shape(), true);
            }
            return isCopied;
        } catch (SQLException e) {
            throw new RowGroupException(group, "copy", strategy.explain(table.shape(), true, e));
        }
    }

    /**
     * Writes or deletes the rows of groups in one round trip and one commit. An error names none of the groups.
     *
     * @param statements receive theirs, after those that are there
     */
    void writeJointly(Connection connection, List<RowGroup> groups, JointStatement statements) throws SQLException {
        List<Added> added = new ArrayList<>();
        for (RowGroup group : groups) {
            Known table = tables.known(connection, group.table());
            added.add(addTo(statements, table, group, !group.isDelete() && !plan.isPlainAmongOthers(table)));
        }
        send(connection, added, statements);
        added.stream()
                .filter(each -> !each.group().isDelete() && !each.onConflict())
                .forEach(each -> each.table().forecast().written());
    }

    /**
     * A group whose statement is one of several.
     *
     * @param place of the statement
     */
    private record Added(Known table, RowGroup group, boolean onConflict, int place) {}

    private Added addTo(JointStatement statements, Known table, RowGroup group, boolean onConflict)
            throws SQLException {
        Added added = new Added(table, group, onConflict, statements.size());
        if (group.isDelete()) {
            deletes.addTo(statements, table.shape(), group.documents());
        } else {
            strategy.addTo(statements, group.shape(table.shape()), group.documents(), onConflict);
        }
        return added;
    }

    private void send(Connection connection, List<Added> added, JointStatement statements) throws SQLException {
        List<Integer> changed = statements.execute(connection);
        boolean isAlone = statements.size() == added.size(); // without offsets, which always move
        if (isAlone && changed.stream().allMatch(count -> count == 0)) { // or nobody knows, because of a rule
            standbys.await(connection);
        }
        for (Added each : added) {
            if (each.onConflict() && !changed.isEmpty()) {
                int unchanged = each.group().documents().size() - changed.get(each.place());
                kept.add(unchanged);
                keptOfTask.add(unchanged, each.group().table());
            }
            strategy.takenFor(each.table().shape());
            if (!each.group().isDelete()) {
                strategy.taken(each.table().shape(), false);
            }
        }
    }
}
