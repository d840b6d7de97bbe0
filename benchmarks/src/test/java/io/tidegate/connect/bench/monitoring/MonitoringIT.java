package io.tidegate.connect.bench.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.Prometheus;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docker/monitoring reads and says, of a live worker with both sinks, by Prometheus' own programs where they are. */
final class MonitoringIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String TOPIC = "tides";
    private static final String LOCKED = "locked";
    private static final int RECORDS = 100;

    private static final KeptBroker BROKER = new KeptBroker();
    private static final PostgresServer POSTGRES =
            PostgresServer.builder().fastStart().build();
    private static final ElasticsearchNode ELASTICSEARCH =
            ElasticsearchNode.builder().fastStart().build();
    private static Optional<ConnectWorker> started = Optional.empty();
    private static Optional<Connection> locking = Optional.empty();

    @BeforeAll
    static void start() throws Exception {
        BROKER.start();
        POSTGRES.start();
        ELASTICSEARCH.start();
        ConnectWorker worker = ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(BROKER.bootstrapServers())
                .pluginPath(plugin("connect-jsonb-sink"), plugin("connect-es-bulk-sink"))
                .exporter(agent(), MonitoringFiles.FOLDER.resolve("jmx-exporter.yml"))
                .build();
        started = Optional.of(worker);
        worker.start();
        BROKER.createTopic(TOPIC, 2);
        BROKER.createTopic(LOCKED, 1);
        createTables();
        send();
        createConnector("jsonb", TOPIC + "," + LOCKED, jsonb());
        createConnector("es", TOPIC, elasticsearch());
        await().atMost(SOON)
                .until(() -> samples().contains("tidegate_records_written_total{connector=\"jsonb\"")
                        && samples().contains("tidegate_records_written_total{connector=\"es\""));
    }

    private static ConnectWorker worker() {
        return started.orElseThrow();
    }

    private static Path plugin(String module) {
        return Path.of("..", module, "target", "plugin");
    }

    private static Path agent() {
        return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(entry -> entry.contains("jmx_prometheus_javaagent"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }

    /** One of them takes no rows. */
    private static void createTables() throws SQLException {
        try (Connection connection = POSTGRES.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tides (doc jsonb NOT NULL); CREATE TABLE locked (doc jsonb NOT NULL)");
        }
        Connection session = POSTGRES.connect();
        locking = Optional.of(session); // the driver closes a connection that nobody refers to
        session.setAutoCommit(false);
        try (Statement statement = session.createStatement()) {
            statement.execute("LOCK TABLE locked");
        }
    }

    private static void send() {
        Map<String, Object> settings = Map.of("bootstrap.servers", BROKER.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            var first = producer.send(new ProducerRecord<>(LOCKED, "{}".getBytes(StandardCharsets.UTF_8)));
            assertThat(first).isNotNull();
            for (int n = 0; n < RECORDS; n++) {
                var unused = producer.send(new ProducerRecord<>(
                        TOPIC, n % 2, null, ("{\"n\": " + n + "}").getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private static Map<String, String> jsonb() {
        return Map.of(
                "connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "connection.url", POSTGRES.jdbcUrl(),
                "connection.user", POSTGRES.user(),
                "connection.password", POSTGRES.password());
    }

    private static Map<String, String> elasticsearch() {
        return Map.of(
                "connector.class", "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "connection.url", ELASTICSEARCH.url().toString(),
                "connection.username", ELASTICSEARCH.username(),
                "connection.password", ELASTICSEARCH.password(),
                "ssl.ca", ELASTICSEARCH.caCertificate().toString(),
                "key.ignore", "true");
    }

    private static void createConnector(String name, String topics, Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(settings);
        config.put("topics", topics);
        config.put("tasks.max", "2");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        worker().rest().putConfig(name, config);
        worker().rest().awaitRunning(name, 2, SOON);
    }

    @AfterAll
    static void stop() throws SQLException {
        if (locking.isPresent()) {
            locking.get().close();
        }
        started.ifPresent(ConnectWorker::close);
        ELASTICSEARCH.close();
        POSTGRES.close();
        BROKER.close();
    }

    private static String samples() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(worker().exporterUri())
                .timeout(Duration.ofSeconds(30))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void everyMetricOfTheAlertsAndTheDashboardIsThere() throws Exception {
        await().atMost(SOON).until(() -> samples().contains("tidegate_destination_postponed_records{"));
        assertThat(samples())
                .contains("tidegate_destination_postponed_records{connector=\"jsonb\",destination=\"locked\",task=\"");
        Set<String> shown = samples()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toSet());

        assertThat(shown).containsAll(MonitoringFiles.metrics());
    }

    @Test
    void noSampleHoldsASecret() throws Exception {
        assertThat(samples()).doesNotContain(POSTGRES.password()).doesNotContain(ELASTICSEARCH.password());
    }

    @Test
    void prometheusReadsTheWorkerAndHasTheRules(@TempDir Path folder) throws Exception {
        if (!Prometheus.isInstalled()) {
            skip("there is no prometheus on the search path");
        }
        Path workers = Files.writeString(
                folder.resolve("workers.yml"),
                "- targets: [\"%s\"]".formatted(worker().exporterUri().getAuthority()));
        String configuration = Files.readString(MonitoringFiles.FOLDER.resolve("prometheus.yml"))
                .replace("workers.yml", workers.toString())
                .replace(
                        "alerts.yml",
                        MonitoringFiles.FOLDER.resolve("alerts.yml").toString())
                .replace("15s", "1s");
        try (Prometheus prometheus = Prometheus.configured(configuration)) {
            prometheus.start();
            await().atMost(SOON).untilAsserted(() -> assertThat(
                            prometheus.query("sum by (connector) (tidegate_records_written_total)"))
                    .hasSize(2)
                    .allSatisfy(series ->
                            assertThat(series.path("value").path(1).asInt()).isGreaterThanOrEqualTo(RECORDS)));
            JsonNode rules = prometheus.get("rules").path("groups").path(0).path("rules");
            assertThat(rules).hasSize(MonitoringFiles.alerts().size());
            await().atMost(SOON).untilAsserted(() -> assertThat(
                            prometheus.get("rules").path("groups").path(0).path("rules"))
                    .allSatisfy(rule -> assertThat(rule.path("health").asText()).isEqualTo("ok")));
        }
    }

    @Test
    void theRulesDoWhatTheirTestsSay() throws Exception {
        assertThat(promtool("check", "config", "--syntax-only", "prometheus.yml"))
                .contains("SUCCESS");
        assertThat(promtool("check", "rules", "alerts.yml")).contains("SUCCESS");
        assertThat(promtool("test", "rules", "alerts-test.yml")).contains("SUCCESS");
    }

    private static String promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(MonitoringFiles.FOLDER.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return skip("promtool cannot be run: " + e.getMessage());
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static String skip(String reason) {
        System.err.println("SKIPPED MonitoringIT: " + reason);
        return abort(reason);
    }
}
