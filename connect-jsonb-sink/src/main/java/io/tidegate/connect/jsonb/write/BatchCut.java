package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.field.MissingFields;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Cuts a batch into groups, one for each statement, and these into commits. One lane uses it. */
final class BatchCut {
    private final KnownTables tables;
    private final ConflictPlan plan;
    private final RowGroup.Keys keys;
    private final RowSql sql;
    private final Optional<KeyOrder> keyOrder;
    /** Tables of which one made a round trip wait too long. Each is written alone until it is clear that it does not. */
    private final Set<String> separate = new HashSet<>();

    BatchCut(
            RowSettings row,
            InsertSettings insert,
            boolean isExactlyOnce,
            KnownTables tables,
            RowSql sql,
            ConflictPlan plan) {
        this.sql = requireNonNull(sql, "sql");
        this.tables = requireNonNull(tables, "tables");
        this.plan = requireNonNull(plan, "plan");
        this.keys = plan.isUpdating() ? keysOf(row, insert, isExactlyOnce) : RowGroup.Keys.ANY;
        this.keyOrder = plan.isResolving() && row.keyMode().isRepeating()
                ? Optional.of(new KeyOrder(row.keyColumns()))
                : Optional.empty();
    }

    private static RowGroup.Keys keysOf(RowSettings row, InsertSettings insert, boolean isExactlyOnce) {
        boolean areUnique = !row.keyMode().isRepeating() || insert.lastWriteWins(row, isExactlyOnce);
        return areUnique ? RowGroup.Keys.UNIQUE : RowGroup.Keys.IN_TURN;
    }

    /** The groups of a batch. They are in key order if several tasks may write one row. */
    List<RowGroup> groupsOf(Connection connection, List<Document> documents) throws RowGroupException {
        if (!sql.hasFields() && keyOrder.isEmpty()) {
            List<RowGroup> groups = RowGroup.of(documents, plan.maxRows(), keys);
            tables.prepare(connection, groups);
            return groups;
        }
        List<RowGroup> byTable =
                RowGroup.byTable(documents).stream().map(RowGroup::of).toList();
        tables.prepare(connection, byTable);
        if (sql.hasFields()) {
            for (RowGroup ofTable : byTable) {
                tables.addColumns(connection, ofTable);
            }
        }
        List<RowGroup> groups = new ArrayList<>();
        for (RowGroup ofTable : byTable) {
            TableShape shape = tables.lookUp(connection, ofTable).shape();
            List<Document> rows = ofTable.documents();
            Optional<List<Document>> sorted = keyOrder.flatMap(order -> order.sorted(shape, rows));
            boolean hasSeveralForms = keyOrder.isPresent() && sorted.isEmpty();
            groups.addAll(RowGroup.of(
                    sorted.orElse(rows),
                    plan.maxRows(),
                    hasSeveralForms ? keys.withSeveralForms() : keys,
                    omitted(shape)));
        }
        return groups;
    }

    /** The columns that a row leaves out, because its document has no field for them. */
    private Function<Document, Set<String>> omitted(TableShape shape) {
        if (!sql.hasFields()) {
            return RowGroup.WHOLE;
        }
        MissingFields missing = sql.leftOut(shape);
        return missing.isNone() ? RowGroup.WHOLE : missing::of;
    }

    /** One of these groups made a round trip wait too long, and nobody knows which. */
    void separate(List<RowGroup> groups) {
        groups.forEach(group -> separate.add(group.table()));
    }

    /** A group was written alone. */
    void writtenAlone(RowGroup group) {
        separate.remove(group.table());
    }

    private boolean isSeparate(RowGroup group) {
        return separate.contains(group.table());
    }

    /** Whether these groups and one more statement can be written in one round trip. */
    boolean areJoint(List<RowGroup> batch) {
        return batch.size() < JointStatement.MOST
                && batch.stream().noneMatch(this::isSeparate)
                && batch.stream().mapToLong(group -> group.documents().size()).sum() <= plan.maxRows();
    }

    /** Whether the group is sent as COPY, which cannot be sent together with statements. */
    boolean isCopied(Connection connection, RowGroup group) throws RowGroupException {
        return !group.isDelete() && plan.copies(tables.lookUp(connection, group), group);
    }

    /** Groups that are committed together, in their order. A group that is sent as COPY, or is separate, is committed alone. */
    List<List<RowGroup>> commitsOf(Connection connection, List<RowGroup> batch) throws RowGroupException {
        if (batch.size() == 1) {
            return List.of(batch);
        }
        List<List<RowGroup>> commits = new ArrayList<>();
        List<RowGroup> open = new ArrayList<>();
        long rows = 0; // limits the parameters of all statements together, as of one
        for (RowGroup group : batch) {
            boolean isAlone = isSeparate(group) || isCopied(connection, group);
            rows += group.documents().size();
            if (isAlone || open.isEmpty() || open.size() == JointStatement.MOST || rows > plan.maxRows()) {
                open = new ArrayList<>();
                commits.add(open);
                rows = group.documents().size();
            }
            open.add(group);
            if (isAlone) {
                open = new ArrayList<>();
            }
        }
        return commits;
    }
}
