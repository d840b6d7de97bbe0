package io.tidegate.connect.bench.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * One connector with thousands of topics, each with its table: {@code mvn verify -pl benchmarks -am
 * -Dit.test=TopicsBenchmark -Dtidegate.tests.jvm="-Dtopics.count=5000 -Dtopics.guarantee=exactly_once"}, with the {@code
 * failIfNoSpecifiedTests} settings. No build runs it, and its figures have no limits.
 */
final class TopicsBenchmark {
    private static final int TOPICS = Integer.getInteger("topics.count", 5_000);
    private static final int PARTITIONS = Integer.getInteger("topics.partitions", 2); // of each
    private static final int RECORDS = Integer.getInteger("topics.records", 5); // of each partition, in each round
    private static final int TASKS = Integer.getInteger("topics.tasks", 2);
    private static final String GUARANTEE = System.getProperty("topics.guarantee", "at_least_once");
    private static final String HEAP = System.getProperty("topics.heap", "512m");
    private static final int METADATA_AGE_MS = 5_000;
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final int TOPICS_OF_A_REQUEST = 250;
    private static final String CONNECTOR = "breadth";

    private final PostgresServer server = PostgresServer.builder()
            .setting("max_locks_per_transaction", "1024")
            .build();
    private final KafkaBroker broker = KafkaBroker.builder().heap("2g").build();
    private long sent;

    @Test
    void measuresAConnectorWithThousandsOfTopics() throws Exception {
        try (server;
                broker) {
            server.start();
            broker.start();
            createTopics();
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                            Map.of("bootstrap.servers", broker.bootstrapServers(), "batch.size", 1_024),
                            new ByteArraySerializer(),
                            new ByteArraySerializer());
                    ConnectWorker first = worker();
                    ConnectWorker second = worker()) {
                send(producer);
                first.start();
                report("empty worker", first, 0);
                long begin = System.nanoTime();
                first.rest().putConfig(CONNECTOR, config());
                awaitStored(1);
                report("first row", first, begin);
                awaitStored(sent);
                report("all rows of new tables", first, begin);

                begin = System.nanoTime();
                send(producer);
                awaitStored(sent);
                report("all rows of known tables", first, begin);

                begin = System.nanoTime();
                broker.createTopic("breadth-new", 1);
                sent++;
                producer.send(new ProducerRecord<>("breadth-new", bytes(0))).get();
                awaitStored(sent);
                report("row of a new topic", first, begin);

                begin = System.nanoTime();
                second.start();
                await().atMost(LONG)
                        .until(() -> first.rest().status(CONNECTOR).tasks().stream()
                                        .map(task -> task.worker() + task.state())
                                        .distinct()
                                        .count()
                                == 2);
                send(producer);
                awaitStored(sent);
                report("all rows after a second worker came", first, begin);

                begin = System.nanoTime();
                second.stop();
                send(producer);
                awaitStored(sent);
                report("all rows after it left", first, begin);
                if (GUARANTEE.equals("exactly_once")) {
                    assertThat(stored()).isEqualTo(sent);
                }
            }
        }
    }

    private void createTopics() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            for (int from = 0; from < TOPICS; from += TOPICS_OF_A_REQUEST) {
                admin.createTopics(IntStream.range(from, Math.min(TOPICS, from + TOPICS_OF_A_REQUEST))
                                .mapToObj(i -> new NewTopic("breadth-" + i, PARTITIONS, (short) 1))
                                .toList())
                        .all()
                        .get();
            }
        }
    }

    private static byte[] bytes(int n) {
        return ("{\"n\": " + n + "}").getBytes(UTF_8);
    }

    private void send(KafkaProducer<byte[], byte[]> producer) {
        for (int n = 0; n < RECORDS; n++) {
            for (int topic = 0; topic < TOPICS; topic++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    var unused = producer.send(new ProducerRecord<>("breadth-" + topic, partition, null, bytes(n)));
                    sent++;
                }
            }
        }
        producer.flush();
    }

    private ConnectWorker worker() {
        return ConnectWorker.builder()
                .bootstrapServers(broker.bootstrapServers())
                .heap(HEAP)
                .pluginPath(Path.of("..", "connect-jsonb-sink", "target", "plugin"))
                .build();
    }

    private Map<String, String> config() {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "tasks.max",
                Integer.toString(TASKS),
                "topics.regex",
                "breadth-.*",
                "connection.url",
                server.jdbcUrl(),
                "connection.user",
                server.user(),
                "connection.password",
                server.password(),
                "auto.create",
                "true",
                "delivery.guarantee",
                GUARANTEE));
        for (String converter : List.of("key.converter", "value.converter")) {
            config.put(converter, "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        config.put("consumer.override.metadata.max.age.ms", Integer.toString(METADATA_AGE_MS));
        config.put("consumer.override.max.poll.records", "5000");
        config.put("consumer.override.auto.offset.reset", "earliest");
        return config;
    }

    private void awaitStored(long rows) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(500)).until(() -> stored() >= rows);
    }

    private long stored() throws SQLException {
        return query(
                "SELECT coalesce(sum((xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', relname),"
                        + " false, true, '')))[1]::text::bigint), 0) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'breadth%'");
    }

    private long query(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void report(String what, ConnectWorker worker, long begin) throws Exception {
        System.out.printf(
                "TOPICS %s: %s after %.1f s; worker %d MB resident, %.1f CPU s; server %d transactions%n",
                GUARANTEE,
                what,
                begin == 0 ? 0 : (System.nanoTime() - begin) / 1e9,
                Footprint.of(worker).megabytes(),
                worker.cpuTime().toMillis() / 1e3,
                query("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"));
    }
}
