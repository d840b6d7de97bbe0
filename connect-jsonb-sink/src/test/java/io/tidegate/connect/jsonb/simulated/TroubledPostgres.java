package io.tidegate.connect.jsonb.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.task.Journal;
import io.tidegate.connect.common.task.Ledger;
import io.tidegate.connect.common.task.Plan;
import io.tidegate.connect.common.task.Plan.Ids;
import io.tidegate.connect.common.task.Plan.Mode;
import io.tidegate.connect.common.task.SimulatedSink;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * The JSONB sink over a real PostgreSQL that keeps nothing on a disk, behind a proxy that cuts. The writer speaks
 * PostgreSQL's own protocol and SQL (binary COPY, arrays, ON CONFLICT, a fence of offsets in the same statement), so that
 * nothing below it is narrower than a connection, and a fake of that would be another PostgreSQL. Tables are unlogged and
 * stay from one schedule to the next. The schedule's thread uses it.
 */
final class TroubledPostgres implements SimulatedSink, AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int DESTINATIONS = 3;
    private static final String OFFSETS = "offs";
    private static final String COORDINATES = "__connect_topic text, __connect_partition int, __connect_offset bigint";

    private final PostgresServer server = PostgresServer.builder()
            .fastStart()
            .setting("full_page_writes", "off")
            .build();
    private final CuttingProxy proxy;
    private final Connection admin;
    private Plan plan;
    private Journal journal;
    private boolean mayForget;
    private boolean hasPast;
    private boolean hasForgotten;
    private Optional<Thread> lock = Optional.empty(); // the session that holds or held a table last

    TroubledPostgres() {
        server.start();
        proxy = new CuttingProxy(server.port());
        try {
            admin = DriverManager.getConnection(url(server.port()), server.user(), server.password());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        for (Ids ids : Ids.values()) {
            for (int i = 0; i < DESTINATIONS; i++) {
                String columns =
                        switch (ids) {
                            case NONE -> "";
                            case COORDINATES ->
                                COORDINATES + ", UNIQUE (__connect_topic, __connect_partition, __connect_offset), ";
                            case KEY -> "k text UNIQUE, " + COORDINATES + ", ";
                        };
                create(prefix(ids) + "into-" + i, columns + "doc jsonb NOT NULL CHECK (NOT doc ? 'poison')");
            }
        }
        create(
                OFFSETS,
                "connector text, topic text, partition integer, next_offset bigint NOT NULL, generation bigint NOT NULL,"
                        + " record_offset bigint, record_timestamp bigint, record_hash bigint, record_rules bigint,"
                        + " PRIMARY KEY (connector, topic, partition)");
    }

    private void create(String table, String columns) {
        execute("CREATE UNLOGGED TABLE \"" + table + "\" (" + columns + ")");
        execute("CREATE UNLOGGED TABLE \"past-" + table + "\" (LIKE \"" + table + "\")");
    }

    private static String prefix(Ids ids) {
        return ids.name().toLowerCase(Locale.ROOT) + "-";
    }

    private String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + server.database() + "?sslmode=disable";
    }

    /** The settings by which a task reaches the server. */
    Map<String, String> connection() {
        return Map.of(
                "connection.url", url(proxy.port()) + "&options=-c%20lock_timeout=50ms",
                "connection.user", server.user(),
                "connection.password", server.password());
    }

    private void execute(String... statements) {
        try (Statement statement = admin.createStatement()) {
            for (String sql : statements) {
                boolean unused = statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    @Override
    public TargetType type() {
        return new PostgresTargetType();
    }

    @Override
    public Plan draw(Random random) {
        Ids ids = one(random, Ids.values());
        boolean isExactlyOnce = random.nextBoolean();
        Mode mode = ids == Ids.NONE ? Mode.REPLACE : one(random, Mode.values());
        boolean deletes = ids == Ids.KEY && random.nextBoolean();
        boolean refusesNulls = random.nextBoolean();
        Map<String, String> settings = new HashMap<>(connection());
        settings.put("table.name.format", prefix(ids) + "${topic}");
        settings.put("offsets.table", OFFSETS);
        settings.put("delivery.guarantee", isExactlyOnce ? "exactly_once" : "at_least_once");
        settings.put("delete.enabled", Boolean.toString(deletes));
        settings.put("behavior.on.null.values", refusesNulls ? "fail" : "ignore");
        settings.put("insert.method", one(random, "auto", "auto", "values", "unnest", "copy"));
        boolean skips = random.nextInt(4) == 0;
        settings.put("skip.unchanged", Boolean.toString(skips));
        settings.put(
                "insert.mode",
                switch (mode) {
                    case REPLACE -> ids == Ids.NONE ? "insert" : "upsert";
                    case FIRST -> ids == Ids.COORDINATES && random.nextBoolean() ? "insert" : "ignore";
                    case MERGE -> "merge";
                });
        switch (ids) {
            case NONE -> settings.put("pk.mode", "none");
            case COORDINATES -> settings.put("pk.mode", "kafka");
            case KEY -> {
                settings.put("pk.mode", "record_key");
                settings.put("pk.fields", "k");
                settings.put("metadata.columns", "topic,partition,offset");
                settings.put("stale.write.guard", skips ? "none" : one(random, "none", "offset"));
            }
        }
        NullValues nulls = deletes ? NullValues.DELETE : refusesNulls ? NullValues.FAIL : NullValues.IGNORE;
        return new Plan(settings, ids, mode, false, isExactlyOnce, false, nulls, isExactlyOnce && ids == Ids.NONE);
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }

    private List<String> tables() {
        List<String> tables = new ArrayList<>();
        for (int i = 0; i < DESTINATIONS; i++) {
            tables.add(prefix(plan.ids()) + "into-" + i);
        }
        tables.add(OFFSETS);
        return tables;
    }

    @Override
    public void begin(long seed, Plan newPlan, double failureRate, Ledger ledger, Journal newJournal) {
        plan = newPlan;
        journal = newJournal;
        mayForget = newPlan.exactlyOnce();
        hasPast = false;
        hasForgotten = false;
        tables().forEach(table -> execute("DELETE FROM \"" + table + "\""));
        proxy.cut(seed, failureRate / 4);
    }

    @Override
    public boolean tellsWrites() {
        return false;
    }

    @Override
    public void event(Random random) {
        int kind = random.nextInt(mayForget ? 6 : 3);
        switch (kind) {
            case 0 -> {
                journal.add("all sessions are ended");
                endSessions();
            }
            case 1, 2 -> lock(random);
            case 3, 4 -> remember();
            default -> forget();
        }
    }

    /** Another session locks a table for longer than the sink waits. */
    private void lock(Random random) {
        String table = tables().get(random.nextInt(tables().size()));
        int millis = 50 + random.nextInt(300);
        journal.add(table + " is locked for " + millis + " ms");
        lock.ifPresent(TroubledPostgres::join);
        Thread session = new Thread(() -> {
            try (Connection connection =
                            DriverManager.getConnection(url(server.port()), server.user(), server.password());
                    Statement statement = connection.createStatement()) {
                boolean unused = statement.execute("DO $$ BEGIN LOCK TABLE \"" + table
                        + "\" IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(" + millis / 1_000.0 + "); END $$");
            } catch (SQLException e) {
                journal.add("the lock ended: " + e.getMessage());
            }
        });
        session.start();
        lock = Optional.of(session);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endSessions() {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                + " AND backend_type = 'client backend'");
    }

    private void remember() {
        journal.add("the server remembers what it has");
        transaction(tables().stream()
                .flatMap(table -> List.of(
                        "DELETE FROM \"past-" + table + "\"",
                        "INSERT INTO \"past-" + table + "\" SELECT * FROM \"" + table + "\"")
                        .stream())
                .toList());
        hasPast = true;
    }

    /**
     * Comes back as it was, if it knew by then of every partition that it knows now: without an entry it is Kafka's group
     * that says where a task begins.
     */
    private void forget() {
        if (!hasPast
                || count("SELECT count(*) FROM offs WHERE partition NOT IN (SELECT partition FROM \"past-offs\")")
                        > 0) {
            return;
        }
        journal.add("the server comes back as it was then");
        hasForgotten = true;
        List<String> statements = new ArrayList<>();
        tables().forEach(table -> statements.add("LOCK TABLE \"" + table + "\" IN ACCESS EXCLUSIVE MODE"));
        endSessions();
        tables().forEach(table -> statements.addAll(List.of(
                "DELETE FROM \"" + table + "\"",
                "INSERT INTO \"" + table + "\" SELECT * FROM \"past-" + table + "\"")));
        transaction(statements);
        endSessions();
    }

    private void transaction(List<String> statements) {
        List<String> all = new ArrayList<>(List.of("BEGIN ISOLATION LEVEL REPEATABLE READ"));
        all.addAll(statements);
        all.add("COMMIT");
        execute(all.toArray(String[]::new));
    }

    private long count(String sql) {
        try (Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            boolean unused = rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public OptionalLong next(TopicPartition partition) {
        if (!plan.exactlyOnce() || hasForgotten) {
            return OptionalLong.empty();
        }
        long next = count("SELECT coalesce(max(next_offset), -1) FROM offs WHERE topic = '" + partition.topic()
                + "' AND partition = " + partition.partition());
        return next < 0 ? OptionalLong.empty() : OptionalLong.of(next);
    }

    @Override
    public void calm() {
        lock.ifPresent(TroubledPostgres::join);
        proxy.cut(0, 0);
        mayForget = false;
    }

    @Override
    public LogState log(TopicPartition partition) {
        String of = " FROM offs WHERE partition = " + partition.partition();
        hasPast = false; // what it knew of the earlier log
        if (count("SELECT count(*)" + of) == 0) {
            return LogState.UNWRITTEN;
        }
        return count("SELECT count(record_offset)" + of) == 0 ? LogState.UNKNOWN : LogState.WRITTEN;
    }

    /** As Connect's call that alters offsets does it. */
    @Override
    public void accept(TopicPartition partition) {
        hasPast = false;
        execute("UPDATE offs SET next_offset = 0, generation = generation + 1, record_offset = NULL,"
                + " record_timestamp = NULL, record_hash = NULL, record_rules = NULL WHERE partition = "
                + partition.partition());
    }

    @Override
    public String otherLog() {
        return " does not have the records that were written ";
    }

    @Override
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        String name =
                switch (plan.ids()) {
                    case NONE -> "''";
                    case COORDINATES ->
                        "'/' || __connect_topic || '+' || __connect_partition || '+' || __connect_offset";
                    case KEY -> "'/' || k";
                };
        for (int i = 0; i < DESTINATIONS; i++) {
            String sql = "SELECT 'into-" + i + "' || " + name + ", doc - 'padding' FROM \"" + tables().get(i) + "\"";
            try (Statement statement = admin.createStatement();
                    ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    rows.add(new Row(found.getString(1), fields(found.getString(2))));
                }
            } catch (SQLException | IOException e) {
                throw new IllegalStateException(sql, e);
            }
        }
        return rows;
    }

    private static Map<String, String> fields(String doc) throws IOException {
        Map<String, String> fields = new TreeMap<>();
        JsonNode json = MAPPER.readTree(doc);
        json.properties()
                .forEach(field -> fields.put(field.getKey(), field.getValue().asText()));
        return fields;
    }

    @Override
    public void close() {
        try {
            admin.close();
        } catch (SQLException e) {
            throw new UncheckedIOException(new IOException(e));
        } finally {
            proxy.close();
            server.close();
        }
    }
}
