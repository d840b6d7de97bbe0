package io.tidegate.connect.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.ElasticsearchStore;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.Snapshot;
import io.tidegate.connect.quickstart.view.Snapshot.Details;
import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.quickstart.view.View.Phase;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes rows in PostgreSQL and follows them through Debezium and Kafka into both stores, then measures the time from
 * the commit at the source until a store has the row. Used by the main thread only.
 */
final class ChangeRun {
    private static final String TABLE = "orders";
    private static final List<String> CONNECTORS = List.of("changes-source", "changes-jsonb", "changes-es");
    private static final int PROBES = 50;
    private static final int CHANGES_A_LOOK = 50;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration HEALTH = Duration.ofSeconds(1);
    private static final Duration LOOK_AT_PROBE = Duration.ofMillis(5); // stores that are asked all the time are slower
    private static final Duration LOOK_AT_USERS_CHANGES = Duration.ofSeconds(1);
    private static final String HEAP = "512m";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Layout layout;
    private final View view;
    private final long rows;
    private final boolean exit;
    private final long startNanos = System.nanoTime();
    private final PostgresStore source = new PostgresStore(Map.of("wal_level", "logical"));
    private final PostgresStore target = new PostgresStore(Map.of());
    private final ElasticsearchStore elasticsearch = new ElasticsearchStore(true, TABLE);
    private final KafkaBroker broker = KafkaBroker.builder().heap(HEAP).build();

    ChangeRun(Layout layout, View view, long rows, boolean exit) {
        this.layout = layout;
        this.view = view;
        this.rows = rows;
        this.exit = exit;
    }

    /**
     * Whether both stores have every row as the source has it. Without {@code exit} it returns only when it is
     * interrupted.
     *
     * @throws ToolException if a server, a connector or Maven fails
     */
    boolean run() throws ToolException, InterruptedException {
        view.say("Fetching Debezium's connector, unless it is there");
        ConnectWorker.Builder builder = ConnectWorker.builder().heap(HEAP).property("offset.flush.interval.ms", "1000");
        builder.pluginPath(layout.pluginPath()).pluginPath(layout.debezium());
        if (view.showsDetails()) {
            builder.jmx();
        }
        view.say("Starting servers");
        try {
            Servers.start(
                    Stream.of(source, target, elasticsearch)
                            .flatMap(store -> store.servers().stream())
                            .toList(),
                    view);
            Servers.start(List.of(broker), view);
            environment().forEach(builder::environment);
            ConnectWorker worker =
                    builder.bootstrapServers(broker.bootstrapServers()).build();
            try {
                Servers.start(List.of(worker), view);
                try (DetailReader details = DetailReader.of(view, worker)) {
                    return run(worker, details);
                }
            } finally {
                worker.close();
            }
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        } finally {
            Stream.of(source, target, elasticsearch).forEach(store -> store.close());
            broker.close();
        }
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(target.environment());
        environment.putAll(elasticsearch.environment());
        URI address =
                URI.create(source.environment().get("TIDEGATE_POSTGRES_URL").substring("jdbc:".length()));
        environment.put("TIDEGATE_SOURCE_HOST", address.getHost());
        environment.put("TIDEGATE_SOURCE_PORT", Integer.toString(address.getPort()));
        environment.put("TIDEGATE_SOURCE_USER", source.environment().get("TIDEGATE_POSTGRES_USER"));
        environment.put("TIDEGATE_SOURCE_PASSWORD", source.environment().get("TIDEGATE_POSTGRES_PASSWORD"));
        return environment;
    }

    private boolean run(ConnectWorker worker, DetailReader details) throws ToolException, InterruptedException {
        source.open();
        target.open();
        change("CREATE TABLE orders (id bigint PRIMARY KEY, n bigint, details jsonb)");
        change("INSERT INTO orders SELECT n, 0, jsonb_build_object('city', 'Seattle', 'n', n) FROM generate_series(1, "
                + rows + ") AS n");
        broker.createTopic("shop.public.orders", 1);
        Connectors connectors = new Connectors(worker.rest());
        for (String connector : CONNECTORS) {
            connectors.create(layout.connectorJson(connector), OptionalInt.empty());
            view.say("  connector " + connector + " created from docker/connectors/" + connector + ".json");
        }
        view.enter(Phase.STREAMING);
        boolean isEqual = follow(details, connectors);
        if (isEqual) {
            latencies();
        }
        view.enter(isEqual ? Phase.FINISHED : Phase.FAILED);
        if (!exit) {
            view.say("");
            view.say("The servers run until Ctrl-C. Change rows of the table orders in the first, and read them in the"
                    + " others:");
            Stream.of(source.shellCommand(), target.shellCommand(), elasticsearch.shellCommand())
                    .forEach(command -> view.sayInPrivate("  " + command));
            stay(details);
        }
        return isEqual;
    }

    /** Inserts, updates and deletes rows and changes keys, then waits until both stores have them. */
    private boolean follow(DetailReader details, Connectors connectors) throws ToolException {
        int first = rowsOf(source, "to_jsonb(o)").size();
        if (awaitEqual(details, connectors).values().stream().anyMatch(count -> count != first)) {
            throw new ToolException("the stores do not have the source's rows after " + SOON.toSeconds() + " s\n"
                    + CONNECTORS.stream().map(connectors::describe).collect(Collectors.joining("\n")));
        }
        view.say("Changing rows");
        long start = System.nanoTime();
        for (long id = 1; id <= rows; id++) {
            change(
                    switch ((int) (id % 10)) {
                        case 0 -> "DELETE FROM orders WHERE id = " + id;
                        case 1 -> "UPDATE orders SET id = id + " + rows + " WHERE id = " + id;
                        case 2 -> "INSERT INTO orders VALUES (" + (2 * rows + id) + ", 1, '{\"city\": null}')";
                        default ->
                            "UPDATE orders SET n = n + 1, details = details || '{\"city\": \"Bremerton\"}' WHERE id = "
                                    + id;
                    });
            if (view.showsDetails() && id % CHANGES_A_LOOK == 0) {
                compare(rowsOf(source, "to_jsonb(o)"), details);
            }
        }
        Map<Sink, Long> equal = awaitEqual(details, connectors);
        long expected = rowsOf(source, "to_jsonb(o)").size();
        view.say(String.format(Locale.ROOT, "%d changes in %.1f s", rows, (System.nanoTime() - start) / 1e9));
        equal.forEach((sink, count) -> view.say("RESULT " + sink + " rows=" + expected + " equal=" + count));
        return equal.values().stream().allMatch(count -> count == expected);
    }

    /**
     * Waits until all rows are equal, or the time is over. Returns how many are.
     *
     * @throws ToolException if a connector or a task has failed
     */
    private Map<Sink, Long> awaitEqual(DetailReader details, Connectors connectors) throws ToolException {
        Map<String, JsonNode> expected = rowsOf(source, "to_jsonb(o)");
        long start = System.nanoTime();
        long lastHealthy = start;
        Map<Sink, Long> equal = compare(expected, details);
        while (equal.values().stream().anyMatch(count -> count != expected.size())
                && System.nanoTime() - start < SOON.toNanos()) {
            if (System.nanoTime() - lastHealthy > HEALTH.toNanos()) {
                requireHealthy(connectors);
                lastHealthy = System.nanoTime();
            }
            Poll.pause(LOOK);
            equal = compare(expected, details);
        }
        return equal;
    }

    private static void requireHealthy(Connectors connectors) throws ToolException {
        for (String connector : CONNECTORS) {
            Optional<String> problem = connectors.problem(connector);
            if (problem.isPresent()) {
                throw new ToolException(problem.get());
            }
        }
    }

    /** Counts the equal rows of each store, and shows the counts where a view has room for them. */
    private Map<Sink, Long> compare(Map<String, JsonNode> expected, DetailReader details) throws ToolException {
        Map<Sink, Long> equal = new EnumMap<>(Sink.class);
        equal.put(Sink.JSONB, equal(expected, targetRows()));
        equal.put(Sink.ES, equal(expected, documents()));
        if (view.showsDetails()) {
            List<SinkState> sinks = new ArrayList<>();
            for (Map.Entry<Sink, Long> entry : equal.entrySet()) {
                Sink sink = entry.getKey();
                sinks.add(new SinkState(
                        sink,
                        Math.max(0, entry.getValue()),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        (sink == Sink.JSONB ? target : elasticsearch).connections(),
                        new Details(details.inFlight(sink, "changes-" + sink), Optional.empty())));
            }
            view.show(new Snapshot(
                    Duration.ofNanos(System.nanoTime() - startNanos), expected.size(), expected.size(), sinks));
        }
        return equal;
    }

    /** Returns when it is interrupted. Until then a page shows what the user changes. */
    private void stay(DetailReader details) throws InterruptedException {
        while (view.showsDetails()) {
            Poll.pause(LOOK_AT_USERS_CHANGES);
            try {
                compare(rowsOf(source, "to_jsonb(o)"), details);
            } catch (ToolException e) {
                // The user may have dropped the table, or stopped a server to see what happens.
            }
        }
        new CountDownLatch(1).await();
    }

    /** A row that is too much counts as one that is not equal. */
    private static long equal(Map<String, JsonNode> expected, Map<String, JsonNode> found) {
        long surplus =
                found.keySet().stream().filter(id -> !expected.containsKey(id)).count();
        return expected.entrySet().stream()
                        .filter(row -> row.getValue().equals(found.get(row.getKey())))
                        .count()
                - surplus;
    }

    private void latencies() throws ToolException, InterruptedException {
        Map<Sink, double[]> millis = new EnumMap<>(Sink.class);
        Arrays.stream(Sink.values()).forEach(sink -> millis.put(sink, new double[PROBES]));
        for (int probe = 0; probe < PROBES; probe++) {
            long n = 1_000_000L + probe;
            change("UPDATE orders SET n = " + n + " WHERE id = 3");
            long committed = System.nanoTime();
            List<Sink> missing = new ArrayList<>(List.of(Sink.values()));
            while (!missing.isEmpty()) {
                for (Sink sink : List.copyOf(missing)) {
                    if (has(sink, n)) {
                        millis.get(sink)[probe] = (System.nanoTime() - committed) / 1e6;
                        missing.remove(sink);
                    }
                }
                if (System.nanoTime() - committed > SOON.toNanos()) {
                    throw new ToolException("a changed row did not arrive within " + SOON.toSeconds() + " s");
                }
                if (!missing.isEmpty()) {
                    Poll.pause(LOOK_AT_PROBE);
                }
            }
        }
        millis.forEach((sink, all) -> {
            Arrays.sort(all);
            view.say(String.format(
                    Locale.ROOT,
                    "LATENCY %s from commit to commit, of %d changes: median %.0f ms, 90 %% within %.0f ms, highest"
                            + " %.0f ms",
                    sink,
                    PROBES,
                    all[PROBES / 2],
                    all[PROBES * 9 / 10],
                    all[PROBES - 1]));
        });
    }

    private boolean has(Sink sink, long n) throws ToolException, InterruptedException {
        return switch (sink) {
            case JSONB ->
                target.queries().number("SELECT count(*) FROM orders WHERE id = '3' AND doc->>'n' = '" + n + "'") == 1;
            case ES ->
                elasticsearch
                                .ask("GET", "/" + TABLE + "/_doc/3", "")
                                .at("/_source/n")
                                .asLong()
                        == n;
        };
    }

    private void change(String sql) throws ToolException {
        source.queries().execute(sql);
    }

    private static Map<String, JsonNode> rowsOf(PostgresStore store, String document) throws ToolException {
        Map<String, JsonNode> found = new TreeMap<>();
        PostgresQueries queries = store.queries();
        queries.rows("SELECT id, " + document + " FROM orders AS o", row -> {
            found.put(row.getString(1), parsed(row.getString(2)));
            return found;
        });
        return found;
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** None while the sink has not created the table. */
    private Map<String, JsonNode> targetRows() {
        try {
            return rowsOf(target, "doc");
        } catch (ToolException e) {
            return Map.of();
        }
    }

    private Map<String, JsonNode> documents() {
        Map<String, JsonNode> found = new TreeMap<>();
        try {
            elasticsearch.ask("POST", "/" + TABLE + "/_refresh?ignore_unavailable=true", "");
            elasticsearch
                    .ask("POST", "/" + TABLE + "/_search?ignore_unavailable=true", "{\"size\":10000}")
                    .at("/hits/hits")
                    .forEach(hit -> found.put(hit.path("_id").asText(), hit.path("_source")));
            return found;
        } catch (ToolException e) {
            return Map.of();
        }
    }
}
