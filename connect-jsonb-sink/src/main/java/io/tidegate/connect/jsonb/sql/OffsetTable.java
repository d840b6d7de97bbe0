package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The table that holds, for each partition of a connector, the next offset to write and the generation of its owner.
 * Whoever is assigned a partition claims it, which starts a generation; only that generation may move the offset.
 */
public final class OffsetTable {
    private final String table;
    private final String connector;
    private final boolean isCreated;

    /**
     * The table of a connector.
     *
     * @param isCreated whether it is made when it is missing
     */
    public OffsetTable(DeliverySettings settings, boolean isCreated) {
        this.table = requireNonNull(settings, "settings").offsetsTable().sql();
        this.connector = settings.connector();
        this.isCreated = isCreated;
    }

    /** What the table says of a partition. */
    record Entry(long nextOffset, long generation) {}

    /** The statement that makes the table, for a human to run. */
    public String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (connector text, topic text, partition integer, next_offset bigint NOT NULL,"
                + " generation bigint NOT NULL, PRIMARY KEY (connector, topic, partition))";
    }

    /** Takes the partition from whoever had it. */
    public Entry claim(Connection connection, TopicPartition partition) throws SQLException {
        try {
            return claimOnce(connection, partition);
        } catch (SQLException e) {
            if (!isCreated || !SqlState.UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw e;
            }
            TableCreation.execute(connection, ddl());
            return claimOnce(connection, partition);
        }
    }

    private Entry claimOnce(Connection connection, TopicPartition partition) throws SQLException {
        return query(
                        connection,
                        "INSERT INTO " + table + " AS o (connector, topic, partition, next_offset, generation)"
                                + " VALUES (?, ?, ?, 0, 1) ON CONFLICT (connector, topic, partition)"
                                + " DO UPDATE SET generation = o.generation + 1 RETURNING next_offset, generation",
                        partition)
                .orElseThrow(() -> new SQLException("nothing claimed in " + table));
    }

    /** An error of this table, with what to do when it is missing. */
    private SQLException explain(SQLException e) {
        return SqlState.UNDEFINED_TABLE.equals(e.getSQLState())
                ? new SQLException(
                        DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once keeps its offsets in a table that is not there;" + " create it with: "
                                + ddl(),
                        SqlState.UNDEFINED_TABLE,
                        e)
                : e;
    }

    /** Reads again, without taking anything. */
    Optional<Entry> read(Connection connection, TopicPartition partition) throws SQLException {
        return query(
                connection,
                "SELECT next_offset, generation FROM " + table + " WHERE connector = ? AND topic = ? AND partition = ?",
                partition);
    }

    private Optional<Entry> query(Connection connection, String sql, TopicPartition partition) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, partition);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(new Entry(rows.getLong(1), rows.getLong(2))) : Optional.empty();
            }
        } catch (SQLException e) {
            throw explain(e);
        }
    }

    private void bind(PreparedStatement statement, TopicPartition partition) throws SQLException {
        statement.setString(1, connector);
        statement.setString(2, partition.topic());
        statement.setInt(3, partition.partition());
    }

    /**
     * Makes these the next offsets, whatever they were; without one, the first. Ends the generation of whoever may still
     * be writing.
     */
    public void set(Connection connection, Map<TopicPartition, Optional<Long>> nextOffsets) throws SQLException {
        for (Map.Entry<TopicPartition, Optional<Long>> next : nextOffsets.entrySet()) {
            try (PreparedStatement statement = connection.prepareStatement("UPDATE " + table
                    + " SET generation = generation + 1, next_offset = ?"
                    + " WHERE connector = ? AND topic = ? AND partition = ?")) {
                statement.setLong(1, next.getValue().orElse(0L));
                statement.setString(2, connector);
                statement.setString(3, next.getKey().topic());
                statement.setInt(4, next.getKey().partition());
                statement.executeUpdate();
            }
        }
    }

    /**
     * The start of a statement that moves the offsets of some partitions: a comma away from more common table
     * expressions. {@code fence.held} is 1; when a generation is over, or an offset has moved meanwhile, the statement
     * fails with a division by zero ({@link OffsetFence#LOST}) and so moves and writes nothing. Its parameters come
     * first: see
     * {@link OffsetFence#bind}.
     */
    String fenceExpressions() {
        return "WITH moved AS (UPDATE " + table + " AS o SET next_offset = m.next_offset"
                + " FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[])"
                + " AS m(topic, partition, next_offset, present_offset, generation)"
                + " WHERE o.connector = ? AND o.topic = m.topic AND o.partition = m.partition"
                + " AND o.generation = m.generation AND o.next_offset = m.present_offset RETURNING 1),"
                + " fence AS (SELECT 1 / (count(*) = ?)::int AS held FROM moved)";
    }

    String connector() {
        return connector;
    }
}
