package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.books.BookEntry;
import io.tidegate.connect.common.books.Books;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The table of offsets. For each partition of a connector it holds the next offset to write, the generation of its
 * owner, and a fingerprint of the last record written. The task that is assigned a partition claims it, which starts a
 * generation. Only that generation may move the offset.
 */
public final class OffsetTable {
    /** The columns that tell the last record from another log's record at the same offset. */
    public static final List<String> RECORD_COLUMNS =
            List.of("record_offset", "record_timestamp", "record_hash", "record_rules");

    private static final String COLUMNS =
            "o.topic, o.partition, o.next_offset, o.generation, o.record_offset, o.record_timestamp, o.record_hash,"
                    + " o.record_rules";

    private final String table;
    private final String connector;
    private final long rules;
    private final boolean isCreated;

    /**
     * The table of a connector.
     *
     * @param rules hash of the rules by which records become rows; hashes of records written under other rules are not
     *     compared
     * @param isCreated whether the table, or a column of it, is created if it is missing
     */
    public OffsetTable(DeliverySettings settings, long rules, boolean isCreated) {
        this.table = requireNonNull(settings, "settings").offsetsTable().sql();
        this.connector = settings.connector();
        this.rules = rules;
        this.isCreated = isCreated;
    }

    /** The statement that creates the table, for a person to run. */
    public String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (connector text, topic text, partition integer, next_offset bigint NOT NULL,"
                + " generation bigint NOT NULL, " + String.join(" bigint, ", RECORD_COLUMNS)
                + " bigint, PRIMARY KEY (connector, topic, partition))";
    }

    /** The statement that adds the columns that an earlier version lacks, for a person to run. */
    public String upgrade() {
        return RECORD_COLUMNS.stream()
                .map(column -> "ADD COLUMN IF NOT EXISTS " + column + " bigint")
                .collect(Collectors.joining(", ", "ALTER TABLE " + table + " ", ""));
    }

    /** Claims those of the partitions that the table knows. */
    Map<TopicPartition, BookEntry> claimKnown(Connection connection, Collection<TopicPartition> partitions)
            throws SQLException {
        return completed(
                connection,
                () -> entries(
                        connection,
                        "UPDATE " + table + " AS o SET generation = o.generation + 1 FROM unnest(?::text[], ?::int[])"
                                + " AS c(topic, partition) WHERE o.connector = ? AND o.topic = c.topic AND"
                                + " o.partition = c.partition RETURNING "
                                + COLUMNS,
                        List.copyOf(partitions),
                        Optional.empty()));
    }

    /** Claims all of these partitions. One that the table does not know begins at its offset. */
    public Map<TopicPartition, BookEntry> claim(Connection connection, Map<TopicPartition, Long> firstOffsets)
            throws SQLException {
        return completed(
                connection,
                () -> entries(
                        connection,
                        "INSERT INTO " + table + " AS o (topic, partition, next_offset, connector, generation)"
                                + " SELECT c.topic, c.partition, c.next_offset, c.connector, 1"
                                + " FROM (SELECT u.topic, u.partition, u.next_offset, ?::text"
                                + " FROM unnest(?::text[], ?::int[], ?::bigint[]) AS u(topic, partition, next_offset)"
                                + " ORDER BY u.topic, u.partition) AS c(topic, partition, next_offset, connector)"
                                + " ON CONFLICT (connector, topic, partition)"
                                + " DO UPDATE SET generation = o.generation + 1 RETURNING " + COLUMNS,
                        List.copyOf(firstOffsets.keySet()),
                        Optional.of(firstOffsets)));
    }

    /** Reads the entries without claiming the partitions. */
    public Map<TopicPartition, BookEntry> read(Connection connection, Collection<TopicPartition> partitions)
            throws SQLException {
        return completed(
                connection,
                () -> entries(
                        connection,
                        "SELECT " + COLUMNS + " FROM " + table
                                + " AS o JOIN unnest(?::text[], ?::int[]) AS c(topic, partition)"
                                + " ON o.topic = c.topic AND o.partition = c.partition WHERE o.connector = ?",
                        List.copyOf(partitions),
                        Optional.empty()));
    }

    private interface Query<T> {
        T run() throws SQLException;
    }

    /** Runs a query. If the table or a column is missing and may be created, it creates it and runs the query again. */
    private <T> T completed(Connection connection, Query<T> query) throws SQLException {
        try {
            return query.run();
        } catch (SQLException e) {
            Optional<String> remedy = remedy(e);
            if (!isCreated || remedy.isEmpty()) {
                throw explain(e, remedy);
            }
            TableCreation.execute(connection, remedy.get());
            return query.run();
        }
    }

    private Optional<String> remedy(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case SqlState.UNDEFINED_TABLE -> Optional.of(ddl());
            case SqlState.UNDEFINED_COLUMN -> Optional.of(upgrade());
            default -> Optional.empty();
        };
    }

    private static SQLException explain(SQLException e, Optional<String> remedy) {
        return remedy.map(statement -> new SQLException(
                        DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once keeps its offsets in a table that is missing, or was made by an"
                                + " earlier version; run: " + statement,
                        e.getSQLState(),
                        e))
                .orElse(e);
    }

    private Map<TopicPartition, BookEntry> entries(
            Connection connection,
            String sql,
            List<TopicPartition> partitions,
            Optional<Map<TopicPartition, Long>> firstOffsets)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = firstOffsets.isPresent() ? 1 : 0;
            statement.setArray(parameter + 1, array(statement, "text", partitions, TopicPartition::topic));
            statement.setArray(parameter + 2, array(statement, "int4", partitions, TopicPartition::partition));
            if (firstOffsets.isPresent()) {
                statement.setArray(parameter + 3, array(statement, "int8", partitions, firstOffsets.get()::get));
            }
            statement.setString(firstOffsets.isPresent() ? 1 : 3, connector);
            try (ResultSet rows = statement.executeQuery()) {
                return entries(rows);
            }
        }
    }

    private Map<TopicPartition, BookEntry> entries(ResultSet rows) throws SQLException {
        Map<TopicPartition, BookEntry> entries = new HashMap<>();
        while (rows.next()) {
            entries.put(
                    new TopicPartition(rows.getString(1), rows.getInt(2)),
                    new BookEntry(rows.getLong(3), rows.getLong(4), fingerprint(rows)));
        }
        return entries;
    }

    private Optional<Fingerprint> fingerprint(ResultSet rows) throws SQLException {
        long offset = rows.getLong(5);
        if (rows.wasNull()) {
            return Optional.empty();
        }
        long timestamp = rows.getLong(6);
        long hash = rows.getLong(7);
        boolean isSameRules = rows.getLong(8) == rules;
        return Optional.of(
                new Fingerprint(offset, timestamp, isSameRules ? OptionalLong.of(hash) : OptionalLong.empty()));
    }

    /**
     * Sets the next offsets, whatever they were, and forgets the last records, so that any log is accepted. Without an
     * offset, Kafka decides where the partition begins. This ends the generation of a task that may still be writing.
     *
     * @return false if there is no table; then Kafka's own offsets decide
     */
    public boolean set(Connection connection, Map<TopicPartition, Optional<Long>> nextOffsets) throws SQLException {
        try {
            completed(connection, () -> {
                setAll(connection, nextOffsets);
                return true;
            });
            return true;
        } catch (SQLException e) {
            if (SqlState.UNDEFINED_TABLE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private void setAll(Connection connection, Map<TopicPartition, Optional<Long>> nextOffsets) throws SQLException {
        if (nextOffsets.values().stream().allMatch(Optional::isEmpty)) {
            forgetAll(connection);
            return;
        }
        String sql = "INSERT INTO " + table + " AS o (connector, topic, partition, next_offset, generation)"
                + " VALUES (?, ?, ?, ?, 1) ON CONFLICT (connector, topic, partition) DO UPDATE SET"
                + " generation = o.generation + 1, next_offset = EXCLUDED.next_offset, "
                + String.join(" = NULL, ", RECORD_COLUMNS) + " = NULL";
        for (Map.Entry<TopicPartition, Optional<Long>> next : nextOffsets.entrySet()) {
            boolean isSet = next.getValue().isPresent();
            try (PreparedStatement statement = connection.prepareStatement(
                    isSet ? sql : "DELETE FROM " + table + " WHERE connector = ? AND topic = ? AND partition = ?")) {
                statement.setString(1, connector);
                statement.setString(2, next.getKey().topic());
                statement.setInt(3, next.getKey().partition());
                if (isSet) {
                    statement.setLong(4, next.getValue().get());
                }
                statement.executeUpdate();
            }
        }
    }

    /**
     * Resets all partitions. Connect names only those for which Kafka has an offset, so all rows of the connector are
     * deleted.
     */
    private void forgetAll(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM " + table + " WHERE connector = ?")) {
            statement.setString(1, connector);
            statement.executeUpdate();
        }
    }

    /**
     * The start of a statement that moves the offsets of some partitions. After a comma, more common table expressions
     * may follow. {@code fence.held} is 1. If a generation is over, or an offset has moved meanwhile, the statement
     * fails with a division by zero ({@link OffsetFence#LOST}) and neither moves nor writes anything. Its parameters
     * come first: see {@link OffsetFence#bind}.
     */
    String fenceExpressions() {
        return "WITH moved AS (UPDATE " + table + " AS o SET next_offset = m.next_offset,"
                + " record_offset = m.next_offset - 1, record_timestamp = m.record_timestamp,"
                + " record_hash = m.record_hash, record_rules = ?"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])"
                + " AS m(topic, partition, next_offset, present_offset, generation, record_timestamp, record_hash)"
                + " WHERE o.connector = ? AND o.topic = m.topic AND o.partition = m.partition"
                + " AND o.generation = m.generation AND o.next_offset = m.present_offset RETURNING 1),"
                + " fence AS (SELECT 1 / (count(*) = ?)::int AS held FROM moved)";
    }

    /**
     * Moves offsets only.
     *
     * @return how many of them had the expected values
     */
    int raise(Connection connection, List<Books.Move> moves) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raiseStatement())) {
            bindMoves(statement, 1, moves);
            statement.setString(6, connector);
            return statement.executeUpdate();
        }
    }

    /**
     * Binds which partitions move, where to, and what is known of them. These are five arrays, starting at the
     * parameter {@code first}.
     */
    static void bindMoves(PreparedStatement statement, int first, List<Books.Move> moves) throws SQLException {
        statement.setArray(
                first, array(statement, "text", moves, move -> move.partition().topic()));
        statement.setArray(first + 1, array(statement, "int4", moves, move -> move.partition()
                .partition()));
        statement.setArray(first + 2, array(statement, "int8", moves, Books.Move::nextOffset));
        statement.setArray(first + 3, array(statement, "int8", moves, move -> move.present()
                .nextOffset()));
        statement.setArray(first + 4, array(statement, "int8", moves, move -> move.present()
                .generation()));
    }

    static <T> Array array(PreparedStatement statement, String type, List<T> rows, Function<T, ?> field)
            throws SQLException {
        return statement
                .getConnection()
                .createArrayOf(type, rows.stream().map(field).toArray());
    }

    /** Moves offsets only: the records below them need no row. The last record stays as it was. */
    private String raiseStatement() {
        return "UPDATE " + table + " AS o SET next_offset = m.next_offset"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[])"
                + " AS m(topic, partition, next_offset, present_offset, generation)"
                + " WHERE o.connector = ? AND o.topic = m.topic AND o.partition = m.partition"
                + " AND o.generation = m.generation AND o.next_offset = m.present_offset";
    }

    String connector() {
        return connector;
    }

    long rules() {
        return rules;
    }
}
