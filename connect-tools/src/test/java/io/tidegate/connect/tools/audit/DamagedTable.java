package io.tidegate.connect.tools.audit;

import io.tidegate.connect.testkit.postgres.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** A table of a PostgreSQL sink. */
final class DamagedTable implements DamagedStore {
    private final Postgres postgres;
    private final String table;
    private final Kind kind;
    private final boolean deletes;
    private final boolean showsPositions;
    private final boolean isGuarded;
    private int strangers;

    /** How rows are identified. */
    enum Kind {
        /** Rows are added, and name their records. */
        APPENDED,
        /** The coordinates are the key. */
        COORDINATES,
        /** The last record of a key makes its row. */
        KEYED
    }

    DamagedTable(Postgres postgres, String table, Kind kind, Random dice) throws SQLException {
        this.postgres = postgres;
        this.table = table;
        this.kind = kind;
        this.deletes = kind == Kind.KEYED && dice.nextInt(3) > 0;
        this.showsPositions = kind != Kind.KEYED || dice.nextInt(3) > 0;
        this.isGuarded = kind == Kind.KEYED && showsPositions && dice.nextBoolean();
        String key =
                switch (kind) {
                    case APPENDED -> "";
                    case COORDINATES -> ", PRIMARY KEY (__connect_topic, __connect_partition, __connect_offset)";
                    case KEYED -> ", PRIMARY KEY (id)";
                };
        execute("CREATE TABLE " + table + " (id text" + (kind == Kind.KEYED ? "" : " DEFAULT 'x'")
                + ", doc jsonb NOT NULL, note text, __connect_topic text, __connect_partition int,"
                + " __connect_offset bigint" + key + ")");
    }

    @Override
    public Map<String, String> config() {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "connection.url", postgres.jdbcUrl(),
                "connection.user", postgres.user(),
                "connection.password", postgres.password(),
                "table.name.format", table));
        switch (kind) {
            case APPENDED -> config.put("metadata.columns", "topic,partition,offset");
            case COORDINATES -> config.putAll(Map.of("pk.mode", "kafka", "insert.mode", "ignore"));
            case KEYED -> {
                config.putAll(Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert"));
                config.put("delete.enabled", String.valueOf(deletes));
                if (showsPositions) {
                    config.put("metadata.columns", "topic,partition,offset");
                }
                if (isGuarded) {
                    config.put("stale.write.guard", "offset");
                }
            }
        }
        return config;
    }

    @Override
    public boolean isKeyed() {
        return kind == Kind.KEYED;
    }

    @Override
    public boolean deletes() {
        return deletes;
    }

    @Override
    public boolean showsPositions() {
        return showsPositions;
    }

    @Override
    public boolean allowsCopies() {
        return kind == Kind.APPENDED;
    }

    @Override
    public boolean noticesStrangers() {
        return true;
    }

    @Override
    public boolean takesNewTopics() {
        return true;
    }

    @Override
    public boolean takesOtherLogs() {
        return true;
    }

    @Override
    public boolean isOrderOnly() {
        return deletes;
    }

    @Override
    public void awaitForgotten() {
        // A deleted row leaves nothing.
    }

    @Override
    public String identityOf(History.Entry entry) {
        return isKeyed() ? entry.key() : entry.place();
    }

    @Override
    public String contentOf(History.Entry entry) {
        return entry.value().orElseThrow() + "|" + (showsPositions ? entry.place() : "");
    }

    @Override
    public SortedMap<String, List<String>> read() throws SQLException {
        String place = "__connect_topic || '-' || __connect_partition || '@' || __connect_offset";
        SortedMap<String, List<String>> rows = new TreeMap<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + (isKeyed() ? "id" : place)
                        + ", replace(doc::text, ' ', '') || '|' || " + (showsPositions ? place : "''")
                        + " FROM " + table + " ORDER BY 2")) {
            while (row.next()) {
                rows.computeIfAbsent(row.getString(1), unused -> new ArrayList<>())
                        .add(row.getString(2));
            }
        }
        return rows;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String of(String identity) {
        return " WHERE "
                + (isKeyed() ? "id" : "__connect_topic || '-' || __connect_partition || '@' || __connect_offset")
                + " = '" + identity + "'";
    }

    @Override
    public void delete(String identity, Optional<History.Entry> last) throws SQLException {
        execute("DELETE FROM " + table + of(identity));
    }

    @Override
    public void change(String identity, Optional<History.Entry> last) throws SQLException {
        execute("UPDATE " + table + " SET note = 'damaged', doc = '{\"v\":-1}'" + of(identity));
    }

    @Override
    public void write(History.Entry older) throws SQLException {
        execute("DELETE FROM " + table + of(identityOf(older)));
        insert(isKeyed() ? older.key() : "x", older.value().orElseThrow(), older);
    }

    private void insert(String id, String value, History.Entry place) throws SQLException {
        execute("INSERT INTO " + table + " VALUES ('" + id + "', '" + value + "', 'old'"
                + (showsPositions
                        ? ", '" + place.topic() + "', " + place.partition() + ", " + place.offset()
                        : ", NULL, NULL, NULL")
                + ")");
    }

    @Override
    public void copy(String identity) throws SQLException {
        execute("INSERT INTO " + table + " SELECT * FROM " + table + of(identity));
    }

    @Override
    public void writeStranger(String identity, String topic) throws SQLException {
        if (isKeyed()) {
            execute("INSERT INTO " + table
                    + " (id, doc, __connect_topic, __connect_partition, __connect_offset) VALUES ('" + identity
                    + "', '{}', '" + topic + "', 0, 0)");
            return;
        }
        int partition = identity.lastIndexOf('-');
        int offset = identity.lastIndexOf('@');
        strangers++;
        execute("INSERT INTO " + table + " VALUES ('s" + strangers + "', '{}', NULL, '"
                + identity.substring(0, partition) + "', " + identity.substring(partition + 1, offset) + ", "
                + identity.substring(offset + 1) + ")");
    }

    @Override
    public String toString() {
        return kind + " table" + (deletes ? ", deletes" : "") + (showsPositions ? ", positions" : "")
                + (isGuarded ? ", guarded" : "");
    }
}
