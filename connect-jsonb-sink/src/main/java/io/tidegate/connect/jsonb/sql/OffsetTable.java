package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.recovery.OffsetStore;
import io.tidegate.connect.common.recovery.StoredOffset;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
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

    /**
     * Only for the transaction that runs it: its commit reaches the server's disk before it is confirmed, also in a session
     * that does not wait. Without an entry, a crash would leave nothing that shows what it lost, and offsets that a person
     * has set would come back.
     */
    private static final String DURABLE = "pg_catalog.set_config('synchronous_commit',"
            + " CASE pg_catalog.current_setting('synchronous_commit') WHEN 'off' THEN 'local'"
            + " ELSE pg_catalog.current_setting('synchronous_commit') END, true)";

    /** Only what a lane knows of the offsets moves them. */
    private static final String AS_KNOWN = " WHERE o.connector = ? AND o.topic = m.topic AND o.partition = m.partition"
            + " AND o.generation = m.generation AND o.next_offset = m.present_offset";

    private final String table;
    private final String name;
    private final String connector;
    private final long transforms;
    private final boolean isCreated;

    /**
     * The table of a connector.
     *
     * @param transforms hash of the connector's transforms, 0 without any; nothing of a record that went through others
     *     is compared
     * @param isCreated whether the table is created if it is missing
     */
    public OffsetTable(DeliverySettings settings, long transforms, boolean isCreated) {
        this.table = settings.offsetsTable().sql();
        this.name = settings.offsetsTable().name();
        this.connector = settings.connector();
        this.transforms = transforms;
        this.isCreated = isCreated;
    }

    /** The statement that creates the table, for a person to run. */
    public String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (connector text, topic text, partition integer, next_offset bigint NOT NULL,"
                + " generation bigint NOT NULL, " + String.join(" bigint, ", RECORD_COLUMNS)
                + " bigint, PRIMARY KEY (connector, topic, partition))";
    }

    /** The statements of this table over a connection. */
    public OffsetStore<SQLException> over(Connection connection) {
        return new Over(connection);
    }

    private final class Over implements OffsetStore<SQLException> {
        private final Connection connection;

        Over(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Map<TopicPartition, StoredOffset> claimKnown(Collection<TopicPartition> partitions) throws SQLException {
            return stored(
                    "UPDATE " + table + " AS o SET generation = o.generation + 1 FROM unnest(?::text[], ?::int[])"
                            + " AS c(topic, partition) WHERE o.connector = ? AND o.topic = c.topic AND"
                            + " o.partition = c.partition RETURNING "
                            + COLUMNS,
                    topics(connection, partitions),
                    numbers(connection, partitions),
                    connector);
        }

        @Override
        public Map<TopicPartition, StoredOffset> claim(Map<TopicPartition, Long> firstOffsets) throws SQLException {
            return durably(durable -> claimed(firstOffsets, durable.isEmpty() ? "" : ", " + durable));
        }

        private Map<TopicPartition, StoredOffset> claimed(Map<TopicPartition, Long> firstOffsets, String more)
                throws SQLException {
            return stored(
                    claimStatement() + more,
                    connector,
                    topics(connection, firstOffsets.keySet()),
                    numbers(connection, firstOffsets.keySet()),
                    array(connection, "int8", firstOffsets.keySet(), firstOffsets::get));
        }

        @Override
        public Map<TopicPartition, StoredOffset> read(Collection<TopicPartition> partitions) throws SQLException {
            return stored(
                    "SELECT " + COLUMNS + " FROM " + table
                            + " AS o JOIN unnest(?::text[], ?::int[]) AS c(topic, partition)"
                            + " ON o.topic = c.topic AND o.partition = c.partition WHERE o.connector = ?",
                    topics(connection, partitions),
                    numbers(connection, partitions),
                    connector);
        }

        private Map<TopicPartition, StoredOffset> stored(String sql, Object... parameters) throws SQLException {
            return completed(connection, () -> Rows.of(connection, sql, OffsetTable.this::entry, parameters).stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        }

        /** The records below them need no row. The last record stays as it was. */
        @Override
        public int raise(Collection<Move> moves) throws SQLException {
            List<Object> parameters = new ArrayList<>(parametersOf(connection, moves));
            parameters.add(connector);
            return Rows.changed(connection, raiseStatement(), parameters.toArray());
        }
    }

    /** Whether a statement waited for a lock of these offsets, and not of a table of rows. */
    boolean isLocked(SQLException e) {
        return PostgresFailures.isLockTimeOut(e) && PostgresFailures.isIn(e, name);
    }

    private String claimStatement() {
        return "INSERT INTO " + table + " AS o (topic, partition, next_offset, connector, generation)"
                + " SELECT c.topic, c.partition, c.next_offset, c.connector, 1"
                + " FROM (SELECT u.topic, u.partition, u.next_offset, ?::text"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[]) AS u(topic, partition, next_offset)"
                + " ORDER BY u.topic, u.partition) AS c(topic, partition, next_offset, connector)"
                + " ON CONFLICT (connector, topic, partition)"
                + " DO UPDATE SET generation = o.generation + 1 RETURNING " + COLUMNS;
    }

    /** The statements that a task sends, to be planned. */
    public JointStatement statements() {
        JointStatement statements = new JointStatement();
        statements.add(claimStatement(), 4, (statement, bound) -> {});
        new OffsetFence(this).addTo(statements, List.of());
        return statements;
    }

    private interface Query<T> {
        T run() throws SQLException;
    }

    private interface Durable<T> {
        T run(String durable) throws SQLException;
    }

    /** Runs statements with {@link #DURABLE}. A server that does not know the setting has no such commits. */
    private static <T> T durably(Durable<T> statements) throws SQLException {
        try {
            return statements.run(DURABLE);
        } catch (SQLException e) {
            if (!PostgresFailures.isUnsupported(e)) {
                throw e;
            }
            return statements.run("");
        }
    }

    /** Runs a query. If the table is missing and may be created, it creates it and runs the query again. */
    private <T> T completed(Connection connection, Query<T> query) throws SQLException {
        try {
            return query.run();
        } catch (SQLException e) {
            if (!SqlState.UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw e;
            }
            if (!isCreated) {
                throw new SQLException(
                        DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once keeps its offsets in a table that is missing; run: " + ddl(),
                        e.getSQLState(),
                        e);
            }
            TableCreation.execute(connection, ddl());
            return query.run();
        }
    }

    private Map.Entry<TopicPartition, StoredOffset> entry(ResultSet row) throws SQLException {
        return Map.entry(
                new TopicPartition(row.getString(1), row.getInt(2)),
                new StoredOffset(row.getLong(3), row.getLong(4), fingerprint(row)));
    }

    private Optional<Fingerprint> fingerprint(ResultSet rows) throws SQLException {
        long offset = rows.getLong(5);
        if (rows.wasNull()) {
            return Optional.empty();
        }
        long timestamp = rows.getLong(6);
        long hash = rows.getLong(7);
        boolean isHashed = !rows.wasNull() && transforms == 0;
        boolean isComparable = rows.getLong(8) == transforms;
        return Optional.of(
                isComparable
                        ? new Fingerprint(offset, timestamp, isHashed ? OptionalLong.of(hash) : OptionalLong.empty())
                        : new Fingerprint(offset, Fingerprint.NO_TIMESTAMP, OptionalLong.empty()));
    }

    /**
     * Sets the next offsets, whatever they were, and forgets the last records, so that any log is accepted. Without an
     * offset, Kafka decides where the partition begins. Other partitions keep theirs. This ends the generation of a task
     * that may still be writing. A partition without an entry gets none: Kafka may refuse it, because it does not exist,
     * and if it takes the offset, its group decides.
     *
     * @return false if there is no table; then Kafka's own offsets decide
     */
    public boolean set(Connection connection, Map<TopicPartition, Optional<Long>> nextOffsets) throws SQLException {
        try {
            return durably(durable -> {
                setAll(connection, nextOffsets, durable);
                return true;
            });
        } catch (SQLException e) {
            if (SqlState.UNDEFINED_TABLE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /**
     * One statement, so that all partitions change or none. It deletes only if an offset is to be forgotten, because few
     * roles may.
     */
    private void setAll(Connection connection, Map<TopicPartition, Optional<Long>> nextOffsets, String durable)
            throws SQLException {
        String isDurable = durable.isEmpty() ? "true" : "(SELECT " + durable + ") IS NOT NULL";
        if (nextOffsets.isEmpty()) {
            // Connect resets a connector and names the partitions for which Kafka's group has an offset: it has none.
            int unused = Rows.changed(
                    connection, "DELETE FROM " + table + " WHERE connector = ? AND " + isDurable, connector);
            return;
        }
        boolean isAnyForgotten = nextOffsets.values().stream().anyMatch(Optional::isEmpty);
        String sql = "WITH given AS (SELECT ?::text AS connector, u.* FROM unnest(?::text[], ?::int[], ?::bigint[])"
                + " AS u(topic, partition, next_offset) WHERE " + isDurable + ")"
                + (isAnyForgotten
                        ? ", forgotten AS (DELETE FROM " + table + " AS o USING given AS g WHERE g.next_offset IS NULL"
                                + " AND o.connector = g.connector AND o.topic = g.topic AND o.partition = g.partition)"
                        : "")
                + " UPDATE " + table + " AS o SET generation = o.generation + 1, next_offset = g.next_offset, "
                + String.join(" = NULL, ", RECORD_COLUMNS) + " = NULL FROM given AS g WHERE g.next_offset IS NOT NULL"
                + " AND o.connector = g.connector AND o.topic = g.topic AND o.partition = g.partition";
        int unused = Rows.changed(
                connection,
                sql,
                connector,
                topics(connection, nextOffsets.keySet()),
                numbers(connection, nextOffsets.keySet()),
                array(connection, "int8", nextOffsets.keySet(), each -> nextOffsets
                        .get(each)
                        .orElse(null)));
    }

    /**
     * The statement that moves the offsets of some partitions. If a generation is over, or an offset has moved meanwhile,
     * it fails with a division by zero ({@link OffsetFence#LOST}), and so do the statements that are sent with it.
     */
    String fence() {
        return "WITH moved AS (UPDATE " + table + " AS o SET next_offset = m.next_offset,"
                + " record_offset = m.next_offset - 1, record_timestamp = m.record_timestamp,"
                + " record_hash = m.record_hash, record_rules = ?"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])"
                + " AS m(topic, partition, next_offset, present_offset, generation, record_timestamp, record_hash)"
                + AS_KNOWN + " RETURNING 1)"
                + " SELECT 1 / (count(*) = ?)::int FROM moved";
    }

    /** The parameters of {@link #fence}. The records are the last ones that are written, in the order of the moves. */
    Object[] parametersOf(Connection connection, List<OffsetStore.Move> moves, List<Fingerprint> records)
            throws SQLException {
        List<Object> parameters = new ArrayList<>();
        parameters.add(transforms);
        parameters.addAll(parametersOf(connection, moves));
        parameters.add(array(connection, "int8", records, Fingerprint::timestamp));
        parameters.add(array(connection, "int8", records, this::hashOf));
        parameters.add(connector);
        parameters.add(moves.size());
        return parameters.toArray();
    }

    /** Which partitions move, where to, and what is known of them: five arrays. */
    private static List<Array> parametersOf(Connection connection, Collection<OffsetStore.Move> moves)
            throws SQLException {
        List<TopicPartition> partitions =
                moves.stream().map(OffsetStore.Move::partition).toList();
        return List.of(
                topics(connection, partitions),
                numbers(connection, partitions),
                array(connection, "int8", moves, OffsetStore.Move::nextOffset),
                array(connection, "int8", moves, move -> move.present().nextOffset()),
                array(connection, "int8", moves, move -> move.present().generation()));
    }

    private static Array topics(Connection connection, Collection<TopicPartition> partitions) throws SQLException {
        return array(connection, "text", partitions, TopicPartition::topic);
    }

    private static Array numbers(Connection connection, Collection<TopicPartition> partitions) throws SQLException {
        return array(connection, "int4", partitions, TopicPartition::partition);
    }

    private static <T> Array array(Connection connection, String type, Collection<T> rows, Function<T, ?> field)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(field).toArray());
    }

    private String raiseStatement() {
        return "UPDATE " + table + " AS o SET next_offset = m.next_offset"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[])"
                + " AS m(topic, partition, next_offset, present_offset, generation)"
                + AS_KNOWN;
    }

    /** The hash of a record's value, or null if a transform may have made the value. */
    private Long hashOf(Fingerprint record) {
        return transforms == 0 && record.hash().isPresent() ? record.hash().getAsLong() : null;
    }
}
