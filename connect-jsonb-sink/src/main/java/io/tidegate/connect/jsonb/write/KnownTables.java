package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.field.NewColumns;
import io.tidegate.connect.jsonb.settings.Privilege;
import io.tidegate.connect.jsonb.sql.ColumnAddition;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the tables that a lane writes to. It keeps the {@link #MOST} that it used last, and all tables of the
 * present batch. A table that is forgotten is looked up again when the next rows come. One lane uses it.
 */
final class KnownTables {
    private static final Logger log = LoggerFactory.getLogger(KnownTables.class);

    /** About 2 KB each. Records may name any number of tables. */
    static final int MOST = 4_096;

    /**
     * How long a table with columns of fields is believed. Its statements check types and columns. A changed default, or a
     * column that takes NULL now, is found no sooner.
     */
    static final Duration BELIEVED = Duration.ofSeconds(30);

    /**
     * Most tables that one statement looks up. With many more, the server compiles the statement, which takes it longer
     * than the look-up. Source: PostgreSQL documentation, "jit_above_cost".
     */
    private static final int TOGETHER = 16;

    /** How long a table is believed to take no more columns. An event trigger may refuse them for a while only. */
    static final Duration FULL = Duration.ofMinutes(5);

    private final Set<Privilege> toInsert;
    private final List<String> keyColumns;
    private final RowSql sql;
    private final Optional<TableCreation> creation;
    private final boolean addsColumns;
    private final boolean leavesOutNew;
    private final Map<String, Long> full = new LinkedHashMap<>(); // tables that take no more columns, and since when
    private final InsertStrategy strategy;
    private final Dialect dialect;
    private final int most;
    private final LongSupplier nanoTime;
    private final Map<String, Known> tables = new LinkedHashMap<>(16, 0.75f, true); // in order of their last use

    /**
     * A table.
     *
     * @param forecast whether the next rows for it are expected to meet existing ones
     * @param since when it was looked up, a time of the clock
     */
    record Known(TableShape shape, ConflictForecast forecast, long since) {}

    /**
     * For one lane.
     *
     * @param most how many are known at a time, such as {@link #MOST}
     * @param nanoTime a clock that counts nanoseconds
     */
    KnownTables(WriterSettings settings, RowSql sql, InsertStrategy strategy, int most, LongSupplier nanoTime) {
        this.toInsert = settings.insert().mode().privileges();
        this.keyColumns = sql.identifying();
        this.sql = requireNonNull(sql, "sql");
        this.creation = settings.creation();
        this.addsColumns = settings.addsColumns();
        this.leavesOutNew = settings.leavesOutNew();
        this.strategy = requireNonNull(strategy, "strategy");
        this.dialect = settings.dialect();
        this.most = most;
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** Whether the lane writes to other tables than this one. */
    boolean hasOthers(String table) {
        return tables.size() > (tables.containsKey(table) ? 1 : 0);
    }

    /**
     * Looks up the tables of a batch that are not known, or that have columns of fields and are known for long. It creates
     * those that are missing: in a transaction, two tasks that create one table would end each other's. It must not be
     * called in one.
     *
     * @throws RowGroupException if that fails for a table; it names a group of it
     */
    void prepare(Connection connection, List<RowGroup> groups) throws RowGroupException {
        forgetTheUnused(groups);
        Map<String, RowGroup> due = new LinkedHashMap<>();
        for (RowGroup group : groups) {
            if (isDue(group.table())) {
                due.putIfAbsent(group.table(), group);
            }
        }
        List<RowGroup> left = List.copyOf(due.values());
        for (RowGroup group : left.size() > 1 ? failedTogether(connection, left) : left) {
            try {
                find(connection, List.of(group.table()));
            } catch (SQLException e) {
                throw new RowGroupException(group, RowGroupException.LOOK_UP, e);
            }
        }
    }

    /** Forgets those that were not used for the longest, down to {@link #MOST}. The batch may then add its own. */
    private void forgetTheUnused(List<RowGroup> groups) {
        if (tables.size() > most) {
            groups.forEach(group -> tables.get(group.table())); // which now was used last
            tables.keySet()
                    .removeAll(
                            tables.keySet().stream().limit(tables.size() - most).toList());
        }
    }

    private boolean isDue(String table) {
        Known known = tables.get(table);
        return known == null || (sql.hasFields() && nanoTime.getAsLong() - known.since() > BELIEVED.toNanos());
    }

    /** Returns the groups whose look-up failed, because of one of them. Alone, each shows whether it is that one. */
    private List<RowGroup> failedTogether(Connection connection, List<RowGroup> due) throws RowGroupException {
        List<RowGroup> failed = new ArrayList<>();
        for (int first = 0; first < due.size(); first += TOGETHER) {
            List<RowGroup> some = due.subList(first, Math.min(first + TOGETHER, due.size()));
            try {
                find(connection, some.stream().map(RowGroup::table).toList());
            } catch (SQLException e) {
                if (PostgresFailures.isLate(e) || PostgresFailures.endsConnections(e)) {
                    throw new RowGroupException(some.get(0), RowGroupException.LOOK_UP, e);
                }
                failed.addAll(some);
            }
        }
        return failed;
    }

    /** Looks up a group's table, and creates it if necessary. */
    Known lookUp(Connection connection, RowGroup group) throws RowGroupException {
        try {
            return known(connection, group.table());
        } catch (SQLException e) {
            throw new RowGroupException(group, RowGroupException.LOOK_UP, e);
        }
    }

    Known known(Connection connection, String table) throws SQLException {
        if (!tables.containsKey(table)) {
            find(connection, List.of(table));
        }
        Known found = tables.get(table);
        return strategy.isPlain() ? new Known(found.shape().unchecked(), found.forecast(), found.since()) : found;
    }

    /**
     * Gives a table columns for fields that have none, if the settings say so and it takes them.
     *
     * @param group rows of one table
     */
    void addColumns(Connection connection, RowGroup group) throws RowGroupException {
        if (leavesOutNew) {
            leaveOutNew(lookUp(connection, group), group);
        }
        if (!addsColumns) {
            return;
        }
        if (isFull(group.table())) {
            TableShape shape = lookUp(connection, group).shape();
            if (sql.lacksGuard(shape)) {
                requireGuard(group, Set.of(), missing(shape, group).keySet());
            }
            return;
        }
        if (!missing(lookUp(connection, group).shape(), group).isEmpty()) {
            forget(group.table()); // another task may have added them
            TableShape shape = lookUp(connection, group).shape();
            Map<String, String> missing = missing(shape, group);
            if (!missing.isEmpty()) {
                addColumns(connection, group, shape, missing);
            }
        }
    }

    private void leaveOutNew(Known known, RowGroup group) {
        Set<String> fields = new TreeSet<>(known.shape().pending());
        fields.addAll(ColumnAddition.fitting(known.shape(), missing(known.shape(), group))
                .keySet());
        if (fields.size() > known.shape().pending().size()) {
            TableShape shape = known.shape().withPending(fields);
            tables.put(group.table(), new Known(shape, known.forecast(), known.since()));
        }
    }

    private void addColumns(Connection connection, RowGroup group, TableShape shape, Map<String, String> missing)
            throws RowGroupException {
        Map<String, String> added = ColumnAddition.fitting(shape, missing);
        try {
            if (!added.isEmpty()) {
                ColumnAddition.add(connection, shape, added);
            }
            if (added.size() < missing.size()) {
                requireGuard(group, added.keySet(), missing.keySet());
                takesNoMore(group.table(), "with more, a row might not fit a page of the server");
            }
        } catch (SQLException e) {
            if (!ColumnAddition.isOfTable(e)) {
                throw new RowGroupException(group, RowGroupException.LOOK_UP, e);
            }
            requireGuard(group, Set.of(), missing.keySet());
            takesNoMore(group.table(), PostgresFailures.describe(e));
        }
        forget(group.table());
        if (sql.guardingField().filter(added::containsKey).isPresent()) {
            sql.warnOfTextGuard(lookUp(connection, group).shape());
        }
        if (!shape.isChecked()) {
            requireShown(connection, group, added.keySet());
        }
    }

    /** A server without a catalogue may hide a column, or have several of its name. */
    private void requireShown(Connection connection, RowGroup group, Set<String> added) throws RowGroupException {
        Set<String> hidden =
                new TreeSet<>(missing(lookUp(connection, group).shape(), group).keySet());
        hidden.retainAll(added);
        if (!hidden.isEmpty() && !isFull(group.table())) {
            requireGuard(group, Set.of(), hidden);
            takesNoMore(group.table(), "the server does not say of which type these are: " + hidden);
        }
    }

    private boolean isFull(String table) {
        Long since = full.get(table);
        return since != null && nanoTime.getAsLong() - since < FULL.toNanos();
    }

    /** Without the guard's column, older records would replace newer rows. */
    private void requireGuard(RowGroup group, Set<String> added, Set<String> missing) throws RowGroupException {
        Optional<String> guard = sql.guardingField().filter(field -> missing.contains(field) && !added.contains(field));
        if (guard.isPresent()) {
            String message = "no column can be added to " + group.table() + " for the stale.write.guard " + guard.get();
            throw new RowGroupException(
                    group, RowGroupException.LOOK_UP, new SQLException(message, SqlState.UNDEFINED_COLUMN));
        }
    }

    /** Fields of the rows that have no column. None if there is no table. */
    private Map<String, String> missing(TableShape shape, RowGroup group) {
        return shape.exists() ? NewColumns.of(sql.fieldsInRow(shape), group.documents()) : Map.of();
    }

    private void takesNoMore(String table, String reason) {
        log.warn(
                "No more columns are added to {} for {} minutes: {}. unknown.fields decides about their fields",
                table,
                FULL.toMinutes(),
                reason);
        if (full.size() == most) {
            full.clear();
        }
        full.put(table, nanoTime.getAsLong());
    }

    /** Looks up tables, creates those that are missing, and remembers them. */
    private void find(Connection connection, List<String> names) throws SQLException {
        long now = nanoTime.getAsLong();
        Map<String, TableShape> found = ask(connection, names);
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            if (found.get(name).exists() || creation.isEmpty()) {
                remember(found.get(name), now);
            } else {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            creation.orElseThrow().create(connection, missing);
            for (TableShape created : ask(connection, missing).values()) {
                remember(created, now);
            }
        }
    }

    private void remember(TableShape shape, long since) throws SQLException {
        Optional<String> flaw = sql.flaw(shape);
        if (flaw.isPresent()) {
            throw new SQLException(flaw.get(), SqlState.FEATURE_NOT_SUPPORTED);
        }
        Known before = tables.get(shape.table());
        ConflictForecast forecast = before == null ? new ConflictForecast() : before.forecast();
        tables.put(shape.table(), new Known(shape, forecast, since));
    }

    /** Asks the server's catalogue, and if it has none, the views of the SQL standard. */
    private Map<String, TableShape> ask(Connection connection, List<String> names) throws SQLException {
        if (!dialect.hasCatalogue()) {
            return askPlainly(connection, names);
        }
        try {
            return askCatalogue(connection, names);
        } catch (SQLException e) {
            if (!PostgresFailures.isUnsupported(e)) {
                throw e;
            }
            Map<String, TableShape> plain = askPlainly(connection, names);
            dialect.lacksCatalogue(PostgresFailures.describe(e));
            return plain;
        }
    }

    private static Map<String, TableShape> askPlainly(Connection connection, List<String> names) throws SQLException {
        Map<String, TableShape> shapes = new HashMap<>();
        for (String name : names) {
            shapes.put(name, TableLookUp.plain(connection, name));
        }
        return shapes;
    }

    /** An internal error may come from DDL beside the question, and is then over when it is asked again. */
    private Map<String, TableShape> askCatalogue(Connection connection, List<String> names) throws SQLException {
        try {
            return TableLookUp.of(connection, names, keyColumns);
        } catch (SQLException e) {
            if (!SqlState.INTERNAL_ERROR.equals(e.getSQLState())) {
                throw e;
            }
            return TableLookUp.of(connection, names, keyColumns);
        }
    }

    /**
     * Whether a group's table exists and we may write such rows to it. If so, the refusal may come from another table
     * or a trigger.
     */
    boolean isWritable(Connection connection, RowGroup group) throws SQLException {
        return TableLookUp.isGranted(connection, group.table(), group.isDelete() ? Privilege.TO_DELETE : toInsert);
    }

    /** Whether a group failed at a table that has changed since it was looked up. If so, it is looked up again. */
    boolean isAltered(Connection connection, RowGroupException e) throws SQLException {
        String table = e.group().table();
        Known known = tables.get(table);
        if (known == null
                || (!TableShape.saysAltered(e.error())
                        && known.shape()
                                .withPending(Set.of())
                                .equals(ask(connection, List.of(table)).get(table)))) {
            return false;
        }
        forget(table);
        full.remove(table); // it may take columns now
        return true;
    }

    /** Forgets a table, because it may have changed at the next look-up. */
    void forget(String table) {
        tables.remove(table);
    }

    /** Forgets all tables, because the server may be another one now. */
    void forgetAll() {
        tables.clear();
        full.clear();
    }
}
