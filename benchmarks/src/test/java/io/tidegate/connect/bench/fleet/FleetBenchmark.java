package io.tidegate.connect.bench.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * What many small connectors cost on one worker: {@code mvn verify -pl benchmarks -am -Dit.test=FleetBenchmark
 * -Dtidegate.tests.jvm="-Dfleet.connectors=200 -Dfleet.configs=jsonb,debezium-jdbc"}, with the
 * {@code failIfNoSpecifiedTests} settings. A configuration is a file of {@code benchmarks/sinks} or {@code
 * benchmarks/peers}, {@code -Dfleet.plugin=DIR} another build of a plugin. No build runs it, and its figures have no limits.
 */
final class FleetBenchmark {
    private static final int CONNECTORS = Integer.getInteger("fleet.connectors", 200);
    private static final int RECORDS = Integer.getInteger("fleet.records", 50); // of each
    private static final List<String> CONFIGS =
            List.of(System.getProperty("fleet.configs", "jsonb").split(",", -1));
    private static final String HEAP = System.getProperty("fleet.heap", "2g");
    private static final Duration IDLE = Duration.ofSeconds(Integer.getInteger("fleet.idle.seconds", 30));
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void measuresManyConnectorsOnOneWorker() throws Exception {
        for (String config : CONFIGS) {
            measure(spec(config));
        }
    }

    private static ConnectorSpec spec(String name) throws ToolException, InterruptedException {
        String folder = Files.exists(ROOT.resolve("benchmarks/peers/" + name + ".json")) ? "peers" : "sinks";
        return new ConnectorFolder(ROOT, folder).read(name, Optional.empty());
    }

    private static void measure(ConnectorSpec spec) throws Exception {
        try (KafkaBroker broker = KafkaBroker.builder().heap("1g").build();
                Fleet fleet = spec.store() == StoreKind.POSTGRESQL ? new PostgresFleet(spec) : new SearchFleet()) {
            broker.start();
            send(broker);
            ConnectWorker.Builder builder = ConnectWorker.builder()
                    .bootstrapServers(broker.bootstrapServers())
                    .heap(HEAP)
                    .pluginPath(Path.of(
                            System.getProperty("fleet.plugin", spec.folder().toString())));
            fleet.environment().forEach(builder::environment);
            try (ConnectWorker worker = builder.build()) {
                worker.start();
                measure(spec, fleet, worker);
            }
        }
    }

    private static void send(KafkaBroker broker) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < CONNECTORS; i++) {
                broker.createTopic("fleet-" + i, 1);
                for (int n = 0; n < RECORDS; n++) {
                    var unused =
                            producer.send(new ProducerRecord<>("fleet-" + i, ("{\"n\": " + n + "}").getBytes(UTF_8)));
                }
            }
            producer.flush();
        }
    }

    private static void measure(ConnectorSpec spec, Fleet fleet, ConnectWorker worker) throws Exception {
        ConnectRest rest = worker.rest();
        Footprint before = Footprint.of(worker);
        long begin = System.nanoTime();
        for (int i = 0; i < CONNECTORS; i++) {
            Map<String, String> config = new HashMap<>(spec.config());
            config.put("topics", "fleet-" + i);
            config.put("tasks.max", "1");
            if (config.get("connector.class").endsWith("JsonbSinkConnector")) {
                config.put("table.name.format", "bench");
            }
            config.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
            rest.putConfig("fleet-" + i, config);
        }
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> fleet.stored() >= (long) CONNECTORS * RECORDS);
        double stored = secondsSince(begin);
        Poll.pause(IDLE); // threads and connections end that are no longer used
        Footprint idle = Footprint.of(worker);
        long connections = fleet.connections();
        Duration cpu = worker.cpuTime();
        Poll.pause(IDLE);
        double idleCpu = worker.cpuTime().minus(cpu).toMillis() / (double) IDLE.toMillis();
        long deleting = System.nanoTime();
        for (int i = 0; i < CONNECTORS; i++) {
            rest.delete("fleet-" + i);
        }
        await().atMost(LONG).pollInterval(Duration.ofMillis(500)).until(() -> rest.list()
                .isEmpty());
        double deleted = secondsSince(deleting);
        assertThat(fleet.stored()).isGreaterThanOrEqualTo((long) CONNECTORS * RECORDS);
        System.out.printf(
                "FLEET %s: %d connectors of %d records; stored after %.0f s; idle: %d threads (%d without connectors),"
                        + " %d MB resident (%d), %d connections, %.3f cores; deleted after %.0f s%n  threads: %s%n",
                spec.name(),
                CONNECTORS,
                RECORDS,
                stored,
                idle.threads(),
                before.threads(),
                idle.megabytes(),
                before.megabytes(),
                connections,
                idleCpu,
                deleted,
                idle.manyThreads(CONNECTORS / 4));
    }

    private static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e9;
    }

    /** The store of all connectors. */
    private interface Fleet extends AutoCloseable {
        Map<String, String> environment();

        long stored();

        /** Sessions besides this program's own. */
        long connections();

        @Override
        void close();
    }

    private static final class PostgresFleet implements Fleet {
        private final PostgresServer server = PostgresServer.builder()
                .setting("max_connections", Integer.toString(12 * CONNECTORS + 100))
                .build();

        PostgresFleet(ConnectorSpec spec) throws SQLException {
            server.start();
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                for (String sql : spec.table().of(0).create()) {
                    statement.execute(sql);
                }
            }
        }

        @Override
        public Map<String, String> environment() {
            return Map.of(
                    "TIDEGATE_POSTGRES_URL", server.jdbcUrl(),
                    "TIDEGATE_POSTGRES_USER", server.user(),
                    "TIDEGATE_POSTGRES_PASSWORD", server.password());
        }

        @Override
        public long stored() {
            return count("SELECT count(*) FROM bench");
        }

        @Override
        public long connections() {
            return count("SELECT count(*) - 1 FROM pg_stat_activity WHERE backend_type = 'client backend'");
        }

        private long count(String query) {
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getLong(1);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private static final class SearchFleet implements Fleet {
        private final ElasticsearchNode node = ElasticsearchNode.builder().build();

        SearchFleet() {
            node.start();
            node.request("PUT", "/bench", "{}");
        }

        @Override
        public Map<String, String> environment() {
            return Map.of(
                    "TIDEGATE_ELASTICSEARCH_URL", node.url().toString(),
                    "TIDEGATE_ELASTICSEARCH_USERNAME", node.username(),
                    "TIDEGATE_ELASTICSEARCH_PASSWORD", node.password(),
                    "TIDEGATE_ELASTICSEARCH_CA", node.caCertificate().toString());
        }

        @Override
        public long stored() {
            node.request("POST", "/bench/_refresh", "");
            return node.request("GET", "/bench/_count", "").path("count").asLong();
        }

        @Override
        public long connections() {
            return node.request("GET", "/_nodes/stats/http", "")
                            .findPath("current_open")
                            .asLong()
                    - 1;
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
