package io.tidegate.docker;

import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.docker.Store.StoreException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The stack {@code ha} with Toxiproxy in front of its stores, three connectors on one topic, and the readings sent to
 * it. Queries of the test use separate proxies, which never fail.
 */
final class Ha implements AutoCloseable {
    static final int READINGS_PER_SECOND = 200;
    static final List<String> BROKERS = List.of("kafka-1", "kafka-2", "kafka-3");
    static final List<String> POSTGRES = List.of("postgres-1", "postgres-2");
    static final List<String> ELASTICSEARCH = List.of("elasticsearch-1", "elasticsearch-2", "elasticsearch-3");
    static final List<String> WORKERS = List.of("connect-1", "connect-2");

    private static final String TOXIPROXY = "toxiproxy";

    /** Ports of Toxiproxy, as in docker/toxiproxy.json. */
    private static final int CONTROL = 8474;

    private static final List<Integer> WATCHED_POSTGRES = List.of(7001, 7002);
    private static final List<Integer> WATCHED_ELASTICSEARCH = List.of(7011, 7012, 7013);
    private static final List<Integer> WATCHED_WORKERS = List.of(7021, 7022);

    private static final Duration IN_ORDER = Duration.ofMinutes(4);
    private static final int TASKS = 6;

    /** The default limit of both workers' pools together. More connections mean that some were not closed. */
    private static final int MOST_CONNECTIONS = 2 * 4;

    private final Stack stack;
    private final Workers workers;
    private final ElasticsearchIndex index;
    private final PostgresTable table;
    private final PostgresTable once;
    private final Readings readings;
    private final Watch watch;

    private Ha(Stack stack) throws IOException {
        this.stack = stack;
        Path secrets = Stack.DOCKER.resolve("secrets");
        String url = "jdbc:postgresql://%s/postgres?targetServerType=primary&user=postgres&password=%s"
                .formatted(
                        WATCHED_POSTGRES.stream().map(this::published).collect(Collectors.joining(",")),
                        Files.readString(secrets.resolve("postgres-password")).strip());
        String answered = "&connectTimeout=2&loginTimeout=2&socketTimeout=30&ApplicationName=watch";
        workers = new Workers(WATCHED_WORKERS.stream()
                .map(port -> URI.create("http://" + published(port)))
                .toList());
        index = new ElasticsearchIndex(
                "readings",
                WATCHED_ELASTICSEARCH.stream()
                        .map(port -> URI.create("https://" + published(port)))
                        .toList(),
                passwords(secrets).getProperty("elasticsearch.password"),
                Certificates.trusting(secrets.resolve("ca.pem")));
        table = new PostgresTable("PostgreSQL", "readings", url + answered);
        once = new PostgresTable("PostgreSQL, exactly once", "readings_once", url + answered);
        createExactlyOnce();
        readings =
                new Readings(stack, "tidegate-connect", "kafka-1:9092,kafka-2:9092,kafka-3:9092", READINGS_PER_SECOND);
        watch = new Watch(this);
    }

    /** Those that Connect reads. Elasticsearch's own file may be for its user only. */
    private static Properties passwords(Path secrets) throws IOException {
        Properties passwords = new Properties();
        try (Reader file = Files.newBufferedReader(secrets.resolve("connect.properties"))) {
            passwords.load(file);
        }
        return passwords;
    }

    static Ha start() {
        Stack stack = Stack.start(
                "ha",
                List.of("faults"),
                Map.of(
                        "POSTGRES_HOSTS", "toxiproxy:5431,toxiproxy:5432",
                        "ELASTICSEARCH_URLS", "https://toxiproxy:9201,https://toxiproxy:9202,https://toxiproxy:9203"),
                "connectors-ha");
        try {
            return new Ha(stack);
        } catch (IOException e) {
            try (stack) {
                throw new UncheckedIOException(e);
            }
        } catch (RuntimeException e) {
            try (stack) {
                throw e;
            }
        }
    }

    private String published(int port) {
        return stack.published(TOXIPROXY, port);
    }

    /** Creates a connector for a table without a key: only the committed offsets prevent duplicates. */
    private void createExactlyOnce() {
        new ConnectRest(URI.create("http://" + published(WATCHED_WORKERS.get(0))))
                .putConfig(
                        "readings-exactly-once",
                        Map.of(
                                "connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector",
                                "tasks.max", "2",
                                "topics", "readings",
                                "connection.url", "${env:POSTGRES_URL}",
                                "connection.user", "postgres",
                                "connection.password", "${file:/run/secrets/connect.properties:postgres.password}",
                                "table.name.format", "readings_once",
                                "delivery.guarantee", "exactly_once",
                                "auto.create", "true"));
    }

    Stack stack() {
        return stack;
    }

    Readings readings() {
        return readings;
    }

    Watch watch() {
        return watch;
    }

    Workers workers() {
        return workers;
    }

    List<Store> stores() {
        return List.of(table, once, index);
    }

    /** The sinks' connections to the primary, or empty if no server accepts writes. */
    OptionalLong connections() {
        try {
            return OptionalLong.of(
                    table.number("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tidegate%'"));
        } catch (StoreException e) {
            return OptionalLong.empty();
        }
    }

    /** The PostgreSQL server that accepts writes. */
    String primary() {
        return POSTGRES.stream()
                .filter(service -> psql(service, "SELECT pg_is_in_recovery()").equals("f"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no PostgreSQL server accepts writes"));
    }

    /** The PostgreSQL server that follows the primary. */
    String standby() {
        String primary = primary();
        return POSTGRES.stream()
                .filter(service -> !service.equals(primary))
                .findFirst()
                .orElseThrow();
    }

    /** Makes the standby the primary, as before maintenance. Returns when Patroni has done it. */
    void switchOver() {
        String primary = primary();
        Stack.docker(
                "exec",
                stack.container(primary),
                "patronictl",
                "--config-file=/opt/patroni/patroni.yml",
                "switchover",
                "tidegate",
                "--leader=" + primary,
                "--candidate=" + standby(),
                "--force");
    }

    /** The node with the primary shard. */
    String primaryNode() {
        try {
            return index.primaryNode();
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private String psql(String service, String sql) {
        return Stack.docker(
                        "exec",
                        stack.container(service),
                        "psql",
                        "--username=postgres",
                        "--no-align",
                        "--tuples-only",
                        "--command=" + sql)
                .strip();
    }

    /** Waits until every server and task runs, all data is replicated, and no surplus connection is open. */
    void awaitInOrder() {
        await("tasks").atMost(IN_ORDER).until(() -> workers.areInOrder(TASKS));
        await("a synchronous standby")
                .ignoreExceptions()
                .atMost(IN_ORDER)
                .until(() -> table.number(
                                "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'")
                        == 1);
        await("Elasticsearch").ignoreExceptions().atMost(IN_ORDER).until(() -> index.health()
                .equals("green"));
        await("brokers").ignoreExceptions().atMost(IN_ORDER).until(() -> underReplicated()
                .isBlank());
        await("connections").atMost(IN_ORDER).until(() -> connections().orElse(Long.MAX_VALUE) <= MOST_CONNECTIONS);
    }

    private String underReplicated() {
        return Stack.docker(
                "exec",
                stack.container(BROKERS.get(1)),
                "/opt/kafka/bin/kafka-topics.sh",
                "--bootstrap-server",
                "localhost:9092",
                "--describe",
                "--under-replicated-partitions");
    }

    /** Waits until every store has this number of readings. */
    void awaitStored(long readings) {
        for (Store store : stores()) {
            await(store.name()).ignoreExceptions().atMost(IN_ORDER).until(() -> store.count() >= readings);
        }
    }

    /** Delays or drops the data on the sinks' connections to these servers. */
    void addToxic(List<String> services, String type, String attributes) {
        for (String service : services) {
            for (String stream : List.of("upstream", "downstream")) {
                toxiproxy("POST", "/proxies/" + service + "/toxics", """
                        {"name": "%s", "type": "%s", "stream": "%s", "attributes": %s}
                        """.formatted(stream, type, stream, attributes));
            }
        }
    }

    void removeToxics(List<String> services) {
        for (String service : services) {
            toxiproxy("DELETE", "/proxies/" + service + "/toxics/upstream", "");
            toxiproxy("DELETE", "/proxies/" + service + "/toxics/downstream", "");
        }
    }

    private void toxiproxy(String method, String path, String json) {
        Http.exchange(
                Http.plain(Duration.ofSeconds(5)),
                method,
                URI.create("http://" + published(CONTROL) + path),
                Map.of(),
                json);
    }

    @Override
    public void close() {
        watch.close();
        readings.close();
        stack.close();
    }
}
