package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.CopyInsert;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.JointStatement;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Cuts batches into groups and writes each as one statement, in the way that fits its table. One lane uses it. */
final class RowGroupWriter {
    private final InsertMode mode;
    private final boolean isExactlyOnce;
    private final RowGroup.Keys keys;
    private final Optional<KeyOrder> keyOrder;
    private final List<String> keyColumns;
    private final RowSql sql;
    private final InsertStrategy strategy;
    private final RowDelete deletes;
    private final PoisonRowFinder poison;
    private final Optional<TableCreation> creation;
    private final Map<String, TableShape> shapes = new HashMap<>();
    private final Map<String, ConflictForecast> forecasts = new HashMap<>();
    private final LongAdder kept = new LongAdder(); // rows that met an existing row, which stayed

    RowGroupWriter(
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            boolean isExactlyOnce,
            ErrorOverrides overrides) {
        this.mode = requireNonNull(insert, "insert").mode();
        this.creation = requireNonNull(creation, "creation");
        this.isExactlyOnce = isExactlyOnce;
        this.keys = keysOf(row, insert, isExactlyOnce);
        this.keyOrder = mode.isResolving() && row.keyMode().isRepeating()
                ? Optional.of(new KeyOrder(row.keyColumns()))
                : Optional.empty();
        this.keyColumns =
                mode.isResolving() ? row.keyColumns().stream().map(Column::name).toList() : List.of();
        this.sql = new RowSql(row, insert);
        this.strategy = new InsertStrategy(insert.method(), sql);
        this.deletes = new RowDelete(row, insert.guard());
        this.poison = new PoisonRowFinder(row.valueColumn(), new UnnestInsert(sql), deletes, overrides);
    }

    private static RowGroup.Keys keysOf(RowSettings row, InsertSettings insert, boolean isExactlyOnce) {
        if (!insert.mode().isUpdating()) {
            return RowGroup.Keys.ANY;
        }
        boolean areUnique = !row.keyMode().isRepeating() || insert.lastWriteWins(isExactlyOnce);
        return areUnique ? RowGroup.Keys.UNIQUE : RowGroup.Keys.IN_TURN;
    }

    /** The groups of a batch, one for each statement. They are in key order if several tasks may write one row. */
    List<RowGroup> groupsOf(Connection connection, List<Document> documents) throws RowGroupException {
        if (keyOrder.isEmpty()) {
            return RowGroup.of(documents, strategy.maxRows(), keys);
        }
        List<RowGroup> groups = new ArrayList<>();
        for (List<Document> rows : RowGroup.byTable(documents)) {
            groups.addAll(inKeyOrder(connection, rows));
        }
        return groups;
    }

    private List<RowGroup> inKeyOrder(Connection connection, List<Document> rows) throws RowGroupException {
        Document first = rows.get(0);
        TableShape shape = lookUp(connection, new RowGroup(first.destination(), first.isDelete(), rows));
        Optional<List<Document>> sorted = keyOrder.orElseThrow().sorted(shape, rows);
        return RowGroup.of(
                sorted.orElse(rows), strategy.maxRows(), sorted.isPresent() ? keys : keys.withSeveralForms());
    }

    /** Whether these groups and one more statement can be written in one round trip. */
    boolean areJoint(Connection connection, List<RowGroup> batch) throws SQLException, RowGroupException {
        return batch.size() < JointStatement.MOST
                && commitsOf(connection, batch).size() == 1
                && !isCopied(connection, batch.get(0));
    }

    /** Groups that are committed together, in their order. A group that is sent as COPY is committed alone. */
    List<List<RowGroup>> commitsOf(Connection connection, List<RowGroup> batch) throws RowGroupException {
        if (batch.size() == 1) {
            return List.of(batch);
        }
        List<List<RowGroup>> commits = new ArrayList<>();
        List<RowGroup> open = new ArrayList<>();
        long rows = 0; // limits the parameters of all statements together, as of one
        for (RowGroup group : batch) {
            boolean isAlone = isCopied(lookUp(connection, group), group);
            rows += group.documents().size();
            if (isAlone || open.isEmpty() || open.size() == JointStatement.MOST || rows > strategy.maxRows()) {
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

    /** The groups of a batch, one for each statement, with every document in its place. */
    List<RowGroup> consecutiveGroupsOf(List<Document> documents) {
        return RowGroup.consecutive(documents, strategy.maxRows());
    }

    /** See {@link io.tidegate.connect.common.spi.BatchWriter#kept}. */
    long kept() {
        return kept.sum();
    }

    InsertStrategy strategy() {
        return strategy;
    }

    PoisonRowFinder poison() {
        return poison;
    }

    /** Whether a trial that looks for rejected rows resolves existing rows. */
    boolean resolvesConflicts() {
        return mode.isResolving();
    }

    /** Whether the group is sent as COPY, which cannot be sent together with statements. */
    boolean isCopied(Connection connection, RowGroup group) throws SQLException {
        return isCopied(shapeOf(connection, group.table()), group);
    }

    private boolean isCopied(TableShape shape, RowGroup group) {
        boolean onConflict = mode.isResolving()
                && (isExactlyOnce || !isPlainFirst(shape, forecastOf(group).isPlainNext()));
        return !group.isDelete() && strategy.choose(shape, group.documents(), onConflict) instanceof CopyInsert;
    }

    TableShape shapeOf(Connection connection, String table) throws SQLException {
        TableShape known = shapes.get(table);
        if (known != null) {
            return known;
        }
        TableShape shape = TableShape.of(connection, table, keyColumns);
        if (!shape.exists() && creation.isPresent()) {
            creation.get().create(connection, table);
            shape = TableShape.of(connection, table, keyColumns);
        }
        Optional<String> flaw = sql.flaw(shape);
        if (flaw.isPresent()) {
            throw new SQLException(flaw.get(), SqlState.FEATURE_NOT_SUPPORTED);
        }
        shapes.put(table, shape);
        return shape;
    }

    /**
     * Whether a group's table exists and we may write such rows to it. If so, the refusal may come from another table
     * or a trigger.
     */
    boolean isWritable(Connection connection, RowGroup group) throws SQLException {
        Set<String> needed = new HashSet<>(group.isDelete() ? Set.of("DELETE", "SELECT") : Set.of("INSERT"));
        if (!group.isDelete() && mode.isResolving()) {
            needed.add("SELECT");
        }
        if (!group.isDelete() && mode.isUpdating()) {
            needed.add("UPDATE");
        }
        return TableShape.isGranted(connection, group.table(), needed);
    }

    /** Looks up a group's table, and creates it if necessary. */
    TableShape lookUp(Connection connection, RowGroup group) throws RowGroupException {
        try {
            return shapeOf(connection, group.table());
        } catch (SQLException e) {
            throw new RowGroupException(group, RowGroupException.LOOK_UP, e);
        }
    }

    /** Whether a group failed at a table that has changed since it was looked up. If so, it is looked up again. */
    boolean isAltered(Connection connection, RowGroupException e) throws SQLException {
        String table = e.group().table();
        TableShape known = shapes.get(table);
        if (known == null
                || (!TableShape.saysAltered(e.error()) && known.equals(TableShape.of(connection, table, keyColumns)))) {
            return false;
        }
        shapes.remove(table);
        return true;
    }

    /** Forgets a table's shape, because the table may have changed at the next look-up. */
    void forgetShape(String table) {
        shapes.remove(table);
    }

    /** Forgets all shapes, because the server may be another one now. */
    void forgetShapes() {
        shapes.clear();
    }

    /**
     * Writes or deletes the rows of a group.
     *
     * @param moving moves the offsets in the same statement
     */
    void write(Connection connection, RowGroup group, Optional<OffsetFence> moving) throws RowGroupException {
        TableShape shape = lookUp(connection, group);
        if (group.isDelete()) {
            delete(connection, shape, group);
        } else if (mode.isResolving()) {
            resolve(connection, shape, group, moving);
        } else {
            insert(connection, shape, group, false, moving);
        }
    }

    private void delete(Connection connection, TableShape shape, RowGroup group) throws RowGroupException {
        try {
            deletes.delete(connection, shape, group.documents());
        } catch (SQLException e) {
            throw new RowGroupException(group, "delete", e);
        }
    }

    private ConflictForecast forecastOf(RowGroup group) {
        return forecasts.computeIfAbsent(group.table(), table -> new ConflictForecast());
    }

    /**
     * Whether a group is written as if it met no existing row. Without an index on the key, the server would not tell
     * that it does.
     */
    private boolean isPlainFirst(TableShape shape, boolean isForecast) {
        return isForecast && shape.keyIndex().isPresent();
    }

    private void resolve(Connection connection, TableShape shape, RowGroup group, Optional<OffsetFence> moving)
            throws RowGroupException {
        if (isExactlyOnce && moving.isEmpty()) {
            insert(connection, shape, group, true, moving); // in a transaction, which an error would end
            return;
        }
        ConflictForecast forecast = forecastOf(group);
        boolean isPlain = isPlainFirst(shape, !forecast.isLikely());
        try {
            insert(connection, shape, group, !isPlain, moving);
            forecast.written();
        } catch (RowGroupException e) {
            if (!isPlain || !SqlState.UNIQUE_VIOLATION.equals(e.error().getSQLState())) {
                throw e;
            }
            insert(connection, shape, group, true, moving);
            forecast.missed();
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
            TableShape shape = shapeOf(connection, group.table());
            if (group.isDelete()) {
                deletes.addTo(joint, shape, group.documents());
            } else {
                // One plain statement that met an existing row would send all groups one by one: not for updates.
                boolean onConflict = mode.isUpdating()
                        || (mode.isResolving()
                                && (isExactlyOnce
                                        || !isPlainFirst(
                                                shape, !forecastOf(group).isLikely())));
                if (onConflict) {
                    resolving.put(joint.size(), group.documents().size());
                }
                strategy.choose(shape, group.documents(), onConflict)
                        .addTo(joint, shape, group.documents(), onConflict);
            }
        }
        List<Integer> changed = joint.execute(connection);
        if (!changed.isEmpty()) {
            resolving.forEach((place, rows) -> kept.add(rows - changed.get(place)));
        }
        if (mode.isResolving() && !mode.isUpdating() && !isExactlyOnce) {
            groups.stream().filter(group -> !group.isDelete()).forEach(group -> forecastOf(group)
                    .written());
        }
    }

    private void insert(
            Connection connection, TableShape shape, RowGroup group, boolean onConflict, Optional<OffsetFence> moving)
            throws RowGroupException {
        List<Document> rows = group.documents();
        RowInsert way = strategy.choose(shape, rows, onConflict);
        try {
            int changed = way.insert(connection, shape, rows, onConflict, moving);
            kept.add(onConflict ? rows.size() - changed : 0);
        } catch (SQLException e) {
            String statement = way instanceof CopyInsert ? "copy" : onConflict ? "insert on conflict" : "insert";
            throw new RowGroupException(group, statement, e);
        }
    }
}
