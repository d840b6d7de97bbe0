package io.tidegate.connect.bench.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.bench.workload.CommitWatch;
import io.tidegate.connect.bench.workload.Timetable;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * What the flood of one connector does to the latency of another: a steady load alone, beside a flood on another worker,
 * which shares only the machine, and beside the same flood on its own worker and pool. The flood is sent at one rate, so both
 * workers have the same to do as long as they keep up; the last figure of a line is what they wrote. Round 0 warms up.
 * {@code mvn verify -pl benchmarks -am
 * -Dit.test=FloodBenchmark -Dtidegate.tests.jvm="-Dflood.rounds=3"}, with the {@code failIfNoSpecifiedTests} settings. No
 * build runs it, and its figures have no limits.
 */
final class FloodBenchmark {
    private static final int ROUNDS = Integer.getInteger("flood.rounds", 3);
    private static final int SECONDS = Integer.getInteger("flood.seconds", 30);
    private static final int RATE = Integer.getInteger("flood.rate", 200); // of the steady load, records a second
    private static final int FLOOD_RATE = Integer.getInteger("flood.others", 40_000); // of the flood, records a second
    private static final int PARTITIONS = 4; // of the flood
    private static final String TEXT = "x".repeat(150);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final PostgresServer server = PostgresServer.builder().build();
    private final KafkaBroker broker = KafkaBroker.builder().heap("1g").build();
    private int floods;
    private volatile boolean flooding;

    /** Where the flood is. */
    private enum Flood {
        NONE,
        ON_ANOTHER_WORKER,
        ON_THE_SAME_WORKER
    }

    @Test
    void measuresTheLatencyBesideAFlood() throws Exception {
        try (server;
                broker) {
            server.start();
            broker.start();
            try (PostgresQueries queries = queries();
                    KafkaProducer<byte[], byte[]> producer = producer();
                    ConnectWorker ours = worker("ours");
                    ConnectWorker other = worker("other")) {
                queries.execute("CREATE TABLE steady (doc jsonb NOT NULL)", "CREATE TABLE flood (doc jsonb NOT NULL)");
                broker.createTopic("steady", 1);
                broker.createTopic("flood", PARTITIONS);
                ours.start();
                other.start();
                ours.rest().putConfig("steady", config("steady", 1, "earliest"));
                ours.rest().awaitRunning("steady", 1, LONG);
                steady(producer, 5);
                for (int round = 0; round <= ROUNDS; round++) {
                    for (Flood flood : Flood.values()) {
                        measure(round, flood, flood == Flood.ON_THE_SAME_WORKER ? ours : other, producer, queries);
                    }
                }
            }
        }
    }

    /** Sends {@code FLOOD_RATE} records a second, every five milliseconds, until {@link #flooding} is false. */
    private void flood() {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            long start = Timetable.nowMicros();
            for (long n = 0; flooding; ) {
                long due = (Timetable.nowMicros() - start) * FLOOD_RATE / 1_000_000;
                for (; n < due; n++) {
                    byte[] value = ("{\"n\": " + n + ", \"text\": \"" + TEXT + "\"}").getBytes(UTF_8);
                    var unused = producer.send(new ProducerRecord<>("flood", (int) (n % PARTITIONS), null, value));
                }
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    private void measure(
            int round,
            Flood flood,
            ConnectWorker worker,
            KafkaProducer<byte[], byte[]> producer,
            PostgresQueries queries)
            throws Exception {
        queries.execute("TRUNCATE steady, flood", "CHECKPOINT");
        String name = "flood-" + floods++; // a new connector begins at the topic's end
        Thread flooder = new Thread(this::flood, "flood");
        if (flood != Flood.NONE) {
            worker.rest().putConfig(name, config("flood", PARTITIONS, "latest"));
            worker.rest().awaitRunning(name, PARTITIONS, LONG);
            flooding = true;
            flooder.start();
            await().atMost(LONG).until(() -> queries.number("SELECT count(*) FROM flood") > 10L * FLOOD_RATE);
        }
        long before = queries.number("SELECT count(*) FROM flood");
        long begun = System.nanoTime();
        try (CommitWatch watch = new CommitWatch(queries())) {
            long sent = steady(producer, SECONDS);
            double seconds = (System.nanoTime() - begun) / 1e9;
            long flooded = queries.number("SELECT count(*) FROM flood") - before;
            if (flood != Flood.NONE) {
                flooding = false;
                flooder.join();
                worker.rest().delete(name);
            }
            await().atMost(LONG).until(() -> queries.number("SELECT count(*) FROM steady") >= sent);
            watch.requireRunning();
            long[] latencies = latencies(queries, watch);
            System.out.printf(
                    Locale.ROOT,
                    "FLOOD round %d, %s: %d records, ms median %.1f, 99 %% %.1f, most %.1f; flood %.0f records/s%n",
                    round,
                    flood,
                    latencies.length,
                    latencies[latencies.length / 2] / 1e3,
                    latencies[latencies.length * 99 / 100] / 1e3,
                    latencies[latencies.length - 1] / 1e3,
                    flooded / seconds);
        }
    }

    /** Sends records with the times at which they are due, and returns their number. */
    private static long steady(KafkaProducer<byte[], byte[]> producer, int seconds) {
        long start = Timetable.nowMicros();
        long records = (long) seconds * RATE;
        for (long n = 0; n < records; n++) {
            long due = start + n * 1_000_000 / RATE;
            while (Timetable.nowMicros() < due) {
                LockSupport.parkNanos(200_000);
            }
            var unused = producer.send(new ProducerRecord<>("steady", ("{\"t\": " + due + "}").getBytes(UTF_8)));
        }
        producer.flush();
        return records;
    }

    /** In microseconds from when a record was due until its row was visible to others, sorted. */
    private static long[] latencies(PostgresQueries queries, CommitWatch watch) throws ToolException {
        return queries
                .rows("SELECT (doc->>'t')::bigint, xmin::text::bigint FROM steady", row ->
                        new long[] {row.getLong(1), row.getLong(2)})
                .stream()
                .flatMapToLong(row -> watch.visibleMicros(row[1]).stream().mapToLong(micros -> micros - row[0]))
                .sorted()
                .toArray();
    }

    private PostgresQueries queries() throws ToolException {
        return PostgresQueries.open("PostgreSQL", server.jdbcUrl(), server.user(), server.password());
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "batch.size", 128 << 10, "linger.ms", 1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private ConnectWorker worker(String group) {
        return ConnectWorker.builder()
                .bootstrapServers(broker.bootstrapServers())
                .groupId(group)
                .heap("1g")
                .pluginPath(Path.of("..", "connect-jsonb-sink", "target", "plugin"))
                .build();
    }

    private Map<String, String> config(String topic, int tasks, String reset) {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "tasks.max",
                Integer.toString(tasks),
                "topics",
                topic,
                "table.name.format",
                topic,
                "connection.url",
                server.jdbcUrl(),
                "connection.user",
                server.user(),
                "connection.password",
                server.password()));
        for (String converter : List.of("key.converter", "value.converter")) {
            config.put(converter, "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        config.put("consumer.override.max.poll.records", "5000");
        config.put("consumer.override.auto.offset.reset", reset);
        return config;
    }
}
