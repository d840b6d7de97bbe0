package io.tidegate.connect.jsonb.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.jsonb.JsonbSinkConnector;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.testkit.kafka.ConnectRest.CheckedSetting;
import io.tidegate.connect.testkit.kafka.ConnectRest.Validation;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.WorkerMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.JMException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a user reads who has a configuration checked, or tries to create a connector, through a real worker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServerValidationIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String SECRET = "hunter2-and-more";

    private final Kafka broker = new KeptBroker();
    private final PostgresServer server =
            PostgresServer.builder().fastStart().withTls().build();
    private final PostgresStore store = new PostgresStore(server);
    private Optional<ConnectWorker> started = Optional.empty();

    @BeforeAll
    void startServers() {
        broker.start();
        server.start();
        ConnectWorker worker = ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(Path.of("target", "plugin"))
                .groupId("validation")
                .environment("POSTGRES_PASSWORD", server.password())
                .jmx()
                .build();
        started = Optional.of(worker);
        worker.start();
        store.execute("CREATE TABLE tides (doc jsonb NOT NULL)");
        store.execute("CREATE TABLE keyed (doc jsonb, a text, b bigint DEFAULT 0, PRIMARY KEY (a, b))");
        store.execute("CREATE UNIQUE INDEX keyed_partial ON keyed (a) WHERE a <> ''");
        store.execute("CREATE UNIQUE INDEX keyed_lower ON keyed (lower(a))");
        store.execute("CREATE SCHEMA hidden");
        store.execute("CREATE TABLE hidden.tides (doc jsonb)");
        store.execute("CREATE ROLE reader LOGIN PASSWORD '" + SECRET + "'");
        store.execute("GRANT SELECT ON tides TO reader");
    }

    @AfterAll
    void closeServers() {
        started.ifPresent(ConnectWorker::close);
        server.close();
        broker.close();
    }

    @AfterEach
    void nothingStaysOpen() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.sinkSessions()).isZero());
    }

    private ConnectWorker worker() {
        return started.orElseThrow();
    }

    private Map<String, String> config(Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                JsonbSinkConnector.class.getName(),
                "topics",
                "tides",
                "connection.url",
                server.jdbcUrl(),
                "connection.user",
                server.user(),
                "connection.password",
                "${env:POSTGRES_PASSWORD}"));
        config.putAll(settings);
        return config;
    }

    private Validation validate(Map<String, String> settings) {
        Map<String, String> config = config(settings);
        config.put("name", "tides");
        return worker().rest().validate(JsonbSinkConnector.class.getName(), config);
    }

    /** The one complaint, after its key. */
    private String complaint(Map<String, String> settings) {
        List<String> errors = validate(settings).errors();
        assertThat(errors).hasSize(1);
        return errors.get(0);
    }

    @Test
    void hasNothingToSayAgainstWhatWorks() {
        assertThat(validate(Map.of()).errors()).isEmpty();
        assertThat(validate(Map.of("pk.mode", "record_key", "pk.fields", "a", "table.name.format", "tides"))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("pk.fields: \"tides\" (for topic tides) has no column a; it has doc.");
    }

    @Test
    void offersTheValuesOfAnEnumeration() {
        assertThat(validate(Map.of("insert.mode", "IGNORE", "pk.mode", "Kafka")).settings())
                .filteredOn(setting ->
                        setting.name().equals("insert.mode") || setting.name().equals("auto.create"))
                .extracting(CheckedSetting::recommendedValues)
                .containsExactlyInAnyOrder(List.of("insert", "upsert", "ignore", "merge"), List.of("true", "false"));
    }

    @Test
    void tellsThatNobodyListens() {
        assertThat(complaint(Map.of("connection.url", "jdbc:postgresql://127.0.0.1:1/postgres")))
                .startsWith("connection.url: PostgreSQL 127.0.0.1:1/postgres cannot be reached:")
                .contains("Check host and port");
    }

    @Test
    void tellsOfAnUnknownHost() {
        assertThat(complaint(Map.of("connection.url", "jdbc:postgresql://no-such-host.invalid/db")))
                .startsWith(
                        "connection.url: PostgreSQL no-such-host.invalid:5432/db has a host name that this worker cannot resolve:");
    }

    @Test
    void tellsWithinTenSecondsOfAServerThatNeverAnswers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String host = "127.0.0.1:" + silent.getLocalPort();
            String hosts = String.join(",", host, host, host, host);
            long begin = System.nanoTime();

            assertThat(complaint(Map.of("connection.url", "jdbc:postgresql://" + host + "/db")))
                    .startsWith("connection.url: PostgreSQL " + host + "/db does not answer");
            assertThat(complaint(Map.of("connection.url", "jdbc:postgresql://" + hosts + "/db?connectTimeout=600")))
                    .startsWith("connection.url: PostgreSQL " + hosts + "/db does not answer within 8 s");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void tellsOfAnAddressWherePacketsVanish() {
        assertThat(complaint(Map.of("connection.url", "jdbc:postgresql://192.0.2.1/db"))) // RFC 5737
                .startsWith("connection.url: PostgreSQL 192.0.2.1:5432/db ");
    }

    @Test
    void tellsPasswordRoleAndDatabaseApart() {
        assertThat(complaint(Map.of("connection.password", SECRET)))
                .startsWith("connection.password: PostgreSQL ")
                .contains("refuses the password", "SQLSTATE 28P01")
                .doesNotContain(SECRET);
        assertThat(complaint(Map.of("connection.password", "")))
                .startsWith("connection.password: PostgreSQL ")
                .contains("Set connection.password");
        assertThat(complaint(Map.of("connection.url", server.jdbcUrl() + "_not")))
                .startsWith("connection.url: PostgreSQL ")
                .contains("has no such database", "SQLSTATE 3D000");
        store.execute("CREATE ROLE locked PASSWORD '" + SECRET + "'");
        assertThat(complaint(Map.of("connection.user", "locked", "connection.password", SECRET)))
                .startsWith("connection.user: PostgreSQL ")
                .contains("SQLSTATE 28000", "LOGIN");
    }

    /** The same as commit.durability=off, which the settings alone show. */
    @Test
    void tellsThatACrashWouldLoseCommits() {
        store.execute("ALTER ROLE " + server.user() + " SET synchronous_commit = off");
        try {
            assertThat(complaint(Map.of()))
                    .startsWith("commit.durability: synchronous_commit is off on PostgreSQL ")
                    .contains("delivery.guarantee=exactly_once", "local");
            assertThat(validate(Map.of("commit.durability", "local")).errors()).isEmpty();
            assertThat(validate(Map.of("delivery.guarantee", "exactly_once", "auto.create", "true"))
                            .errors())
                    .as("which notices, and writes them again")
                    .isEmpty();
        } finally {
            store.execute("ALTER ROLE " + server.user() + " RESET synchronous_commit");
        }
    }

    @Test
    void tellsThatTlsCannotBeAgreedOn() throws IOException {
        Path other = Files.createTempFile("other-authority", ".pem");
        Files.writeString(other, Files.readString(server.caCertificate()));
        String url = server.jdbcUrl() + "?sslmode=verify-full&sslrootcert=";

        assertThat(validate(Map.of("connection.url", url + server.caCertificate()))
                        .errors())
                .isEmpty();
        Files.writeString(other, otherAuthority());
        assertThat(complaint(Map.of("connection.url", url + other)))
                .startsWith("connection.url: PostgreSQL ")
                .contains("cannot agree on TLS", "sslrootcert");
        Files.delete(other);
    }

    private static String otherAuthority() throws IOException {
        try (PostgresServer other = PostgresServer.builder().build()) {
            return Files.readString(other.caCertificate());
        }
    }

    @Test
    void tellsThatATableIsMissingAndHowToMakeIt() {
        assertThat(complaint(Map.of("topics", "nowhere", "pk.mode", "kafka", "insert.mode", "ignore")))
                .startsWith(
                        "table.name.format: there is no table \"nowhere\" (for topic nowhere) that role postgres can"
                                + " see (search_path is \"$user\", public). Create it with: CREATE TABLE IF NOT EXISTS \"nowhere\" (\"doc\" jsonb,"
                                + " \"__connect_topic\" text, \"__connect_partition\" integer, \"__connect_offset\" bigint,"
                                + " PRIMARY KEY (");
    }

    @Test
    void theStatementItProposesMakesWhatItAsksFor() {
        Map<String, String> settings = Map.of("topics", "proposed", "pk.mode", "kafka", "insert.mode", "ignore");
        String complaint = complaint(settings);

        store.execute(complaint.substring(complaint.indexOf("CREATE TABLE")));

        assertThat(validate(settings).errors()).isEmpty();
    }

    @Test
    void looksAtTheTableOfEachTopic() {
        assertThat(validate(Map.of("topics", "tides,nowhere,neither")).errors())
                .hasSize(2)
                .allMatch(error -> error.startsWith("table.name.format: there is no table"));
        assertThat(validate(Map.of("topics", "nowhere", "table.name.format", "tides"))
                        .errors())
                .isEmpty();
    }

    @Test
    void doesNotGuessTablesWhereATransformMayRenameTopics() {
        assertThat(validate(Map.of(
                                "topics", "nowhere",
                                "transforms", "route",
                                "transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter",
                                "transforms.route.regex", ".*",
                                "transforms.route.replacement", "tides"))
                        .errors())
                .isEmpty();
    }

    @Test
    void tellsOfColumnsThatCannotTakeTheValue() {
        store.execute("CREATE TABLE wrong (doc integer, station text NOT NULL)");

        assertThat(validate(Map.of("topics", "wrong")).errors())
                .containsExactlyInAnyOrder(
                        "value.column.name: column doc of \"wrong\" (for topic wrong) is of type integer; it has to be jsonb"
                                + " (character varying, json, text will do)",
                        "table.name.format: \"wrong\" (for topic wrong) takes no row without station: NOT NULL, without a"
                                + " default, and not written by this connector. Give it a default");
        store.execute("CREATE TABLE computed (a text, doc text GENERATED ALWAYS AS (a || '') STORED)");
        assertThat(complaint(Map.of("topics", "computed")))
                .startsWith("table.name.format: the server takes no rows for \"computed\" (for topic computed): cannot"
                        + " insert a non-DEFAULT value into column \"doc\"");
        store.execute("CREATE TABLE filled (doc jsonb, station text NOT NULL)");
        store.execute("CREATE TRIGGER filled BEFORE INSERT ON filled FOR EACH ROW EXECUTE FUNCTION"
                + " suppress_redundant_updates_trigger()");
        assertThat(validate(Map.of("topics", "filled")).errors()).isEmpty();
        store.execute("CREATE TABLE cutting (doc jsonb, at name)");
        assertThat(complaint(Map.of("topics", "cutting", "extract.columns", "at:$.at")))
                .isEqualTo(
                        "extract.columns: column at of \"cutting\" (for topic cutting) is of type name, which silently"
                                + " truncates longer values; make it text");
        store.execute("CREATE MATERIALIZED VIEW fixed AS SELECT doc FROM tides");
        assertThat(complaint(Map.of("topics", "fixed")))
                .startsWith("table.name.format: the server takes no rows for \"fixed\" (for topic fixed): ");
    }

    @Test
    void tellsThatNoUniqueIndexFitsTheKey() {
        Map<String, String> upsert = Map.of(
                "table.name.format", "keyed", "pk.mode", "record_key", "insert.mode", "upsert", "pk.fields", "a");

        assertThat(complaint(upsert))
                .startsWith(
                        "pk.fields: \"keyed\" (for topic tides): there is no unique or exclusion constraint matching")
                .endsWith(
                        "create a unique index on the columns of pk.fields: CREATE UNIQUE INDEX ON \"keyed\" (\"a\")");

        store.execute("CREATE UNIQUE INDEX keyed_a ON keyed (a) INCLUDE (doc)");
        assertThat(validate(upsert).errors()).isEmpty();
        store.execute("DROP INDEX keyed_a");
    }

    @Test
    void tellsWhereFieldsWillGo() {
        store.execute("CREATE TABLE typed (station text NOT NULL, level float8, at timestamptz DEFAULT now(),"
                + " n bigint GENERATED ALWAYS AS IDENTITY, host name, kind \"char\")");
        Map<String, String> settings = new HashMap<>(
                Map.of("table.name.format", "typed", "columns.from.fields", "known", "unknown.fields", "ignore"));
        assertThat(validate(settings).errors()).isEmpty();
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(Files.readString(worker().log()))
                                .contains(
                                        "\"typed\" (for topic tides): these columns get the fields of their names:"
                                                + " at timestamp with time zone, level double precision, station text."
                                                + " These take none, because the server fills them or would cut values:"
                                                + " host, kind, n."
                                                + " What is in other fields is dropped."
                                                + " A record without station is refused, unless a trigger fills them: NOT NULL, without a default"));
        store.execute("DROP TABLE typed");
    }

    /** A worker shows it beside the connector's own settings. */
    @Test
    void complainsOfASettingOfConnect() {
        assertThat(complaint(Map.of("consumer.override.enable.auto.commit", "true")))
                .startsWith("consumer.override.enable.auto.commit: ")
                .contains("remove it");
    }

    @Test
    void tellsThatAGuardComparesTexts() {
        store.execute("CREATE TABLE versions (id text PRIMARY KEY, doc jsonb, version text)");
        assertThat(validate(Map.of(
                                "table.name.format", "versions",
                                "pk.mode", "record_key",
                                "pk.fields", "id",
                                "insert.mode", "upsert",
                                "extract.columns", "version:$.version",
                                "stale.write.guard", "version"))
                        .errors())
                .isEmpty();
        await().atMost(SOON).untilAsserted(() -> assertThat(Files.readString(worker().log()))
                .contains("\"versions\": stale.write.guard=version compares texts, where 10 is older than 9"));
        store.execute("DROP TABLE versions");
    }

    @Test
    void tellsWhatTheRoleMayNotDoAndHowToGrantIt() {
        Map<String, String> reader = Map.of("connection.user", "reader", "connection.password", SECRET);
        assertThat(complaint(reader))
                .startsWith(
                        "connection.user: role reader may not write to \"tides\" (for topic tides): permission denied")
                .endsWith(": GRANT INSERT ON \"tides\" TO \"reader\"");

        store.execute("GRANT INSERT, SELECT (a, b) ON keyed TO reader");
        Map<String, String> ignoring = new HashMap<>(reader);
        ignoring.putAll(Map.of(
                "table.name.format", "keyed", "pk.mode", "record_key", "insert.mode", "ignore", "pk.fields", "a,b"));
        assertThat(validate(ignoring).errors()).isEmpty();
        ignoring.put("delete.enabled", "true");
        assertThat(complaint(ignoring)).endsWith(": GRANT SELECT, INSERT, DELETE ON \"keyed\" TO \"reader\"");
        store.execute("REVOKE ALL ON keyed FROM reader");

        store.execute("GRANT INSERT ON tides TO reader");
        Map<String, String> adding = new HashMap<>(reader);
        adding.put("columns.from.fields", "known");
        assertThat(validate(adding).errors()).isEmpty();
        adding.put("columns.from.fields", "add");
        assertThat(complaint(adding))
                .startsWith("columns.from.fields: add adds columns to \"tides\" (for topic tides), which only its owner"
                        + " may, and role reader is not")
                .contains("ALTER TABLE \"tides\" OWNER TO \"reader\"");
        store.execute("REVOKE INSERT ON tides FROM reader");

        Map<String, String> hidden = new HashMap<>(reader);
        hidden.put("table.name.format", "hidden.${topic}");
        assertThat(complaint(hidden))
                .startsWith("connection.user: \"hidden\".\"tides\" (for topic tides) is out of reach of role reader:")
                .endsWith("Grant it USAGE on the schema");

        store.execute("ALTER ROLE reader SET default_transaction_read_only = on");
        assertThat(complaint(reader))
                .startsWith("connection.user: role reader may only read on PostgreSQL ")
                .contains("default_transaction_read_only");
        store.execute("ALTER ROLE reader RESET default_transaction_read_only");
    }

    @Test
    void tellsThatTheOffsetsTableIsMissingOrOfAnotherForm() {
        Map<String, String> once = Map.of("delivery.guarantee", "exactly_once", "offsets.table", "my_offsets");
        String complaint = complaint(once);
        assertThat(complaint)
                .startsWith(
                        "offsets.table: there is no table \"my_offsets\" (the offsets of delivery.guarantee=exactly_once)");

        store.execute("CREATE TABLE my_offsets (connector text, topic text, partition integer, next_offset integer)");
        assertThat(validate(once).errors())
                .hasSize(6)
                .anyMatch(error -> error.contains("has no column record_hash"))
                .anyMatch(error -> error.contains("column next_offset of") && error.endsWith("has to be bigint"))
                .anyMatch(error -> error.contains("has no column generation"));

        store.execute("DROP TABLE my_offsets");
        store.execute(complaint.substring(complaint.indexOf("CREATE TABLE")));
        assertThat(validate(once).errors()).isEmpty();
    }

    @Test
    void asksNoMoreOfATableThatItCreatesThanToBeAllowedTo() {
        Map<String, String> created = Map.of("topics", "nowhere", "auto.create", "true");
        assertThat(validate(created).errors()).isEmpty();

        Map<String, String> reader = new HashMap<>(created);
        reader.putAll(Map.of("connection.user", "reader", "connection.password", SECRET));
        assertThat(complaint(reader))
                .startsWith(
                        "connection.user: there is no table \"nowhere\" (for topic nowhere), and role reader may not"
                                + " create it as auto.create says. Grant it CREATE on the schema");
    }

    @Test
    void knowsWhichTablesDependOnMoreThanTheTopic() {
        assertThat(complaint(Map.of(
                        "topics", "a,b,c",
                        "table.name.format", "${field:$.kind}",
                        "topic.table.map", "b:tides,c:elsewhere")))
                .startsWith("table.name.format: there is no table \"elsewhere\" (for topic c)");
    }

    @Test
    void looksAtMetadataAndExtractedColumnsAndAtWhatMergingNeeds() {
        store.execute("CREATE TABLE merged (doc json, id text PRIMARY KEY, at timestamptz)");

        assertThat(validate(Map.of(
                                "topics", "merged",
                                "pk.mode", "record_key",
                                "pk.fields", "id",
                                "insert.mode", "merge",
                                "metadata.columns", "timestamp:at,offset:off",
                                "extract.columns", "station:$.id::text"))
                        .errors())
                .satisfiesExactlyInAnyOrder(
                        error -> assertThat(error)
                                .isEqualTo(
                                        "value.column.name: column doc of \"merged\" (for topic merged) is of type json;"
                                                + " it has to be jsonb"),
                        error -> assertThat(error)
                                .startsWith(
                                        "metadata.columns: \"merged\" (for topic merged) has no column off; it has at,"
                                                + " doc, id.")
                                .endsWith("ALTER TABLE \"merged\" ADD COLUMN \"off\" bigint"),
                        error -> assertThat(error)
                                .startsWith("extract.columns: \"merged\" (for topic merged) has no column station"));
    }

    @Test
    void tellsAStandbyFromAPrimary() {
        try (PostgresServer standby = server.standby()) {
            standby.start();
            String address = standby.host() + ":" + standby.port();

            assertThat(complaint(Map.of("connection.url", standby.jdbcUrl())))
                    .startsWith(
                            "connection.url: PostgreSQL " + address + "/postgres is a standby, which takes no rows");
            assertThat(validate(Map.of(
                                    "connection.url",
                                    "jdbc:postgresql://" + address + "," + server.host() + ":" + server.port()
                                            + "/postgres"))
                            .errors())
                    .isEmpty();
        }
    }

    @Test
    void acceptsAConnectorWhoseServerIsAwayWhenToldTo() {
        Map<String, String> away =
                Map.of("connection.url", "jdbc:postgresql://127.0.0.1:1/postgres", "validate.server", "if_reachable");
        assertThat(validate(away).errors()).isEmpty();
        assertThat(validate(Map.of("topics", "nowhere", "validate.server", "if_reachable"))
                        .errors())
                .hasSize(1);
        assertThat(validate(Map.of("topics", "nowhere", "validate.server", "never"))
                        .errors())
                .isEmpty();

        worker().rest().putConfig("away", config(away));
        worker().rest().awaitRunning("away", 1, SOON);
        worker().rest().delete("away");
    }

    @Test
    void keepsSecretsToItself() throws IOException, JMException {
        String inUrl = server.jdbcUrl() + "?user=reader&password=" + SECRET;
        List<Map<String, String>> configs = List.of(
                Map.of("connection.password", SECRET),
                Map.of("connection.user", "", "connection.password", "", "connection.url", inUrl + "x"),
                Map.of("connection.user", "", "connection.password", "", "connection.url", inUrl));
        for (Map<String, String> config : configs) {
            assertThat(validate(config).toString()).contains("[hidden]").doesNotContain(SECRET);
        }

        Map<String, String> failing = new HashMap<>(configs.get(2));
        failing.put("validate.server", "never");
        failing.put("connection.pool.wait.ms", "1000");
        worker().rest().putConfig("secretive", config(failing));
        worker().rest().awaitRunning("secretive", 1, SOON);
        try (WorkerMetrics metrics = new WorkerMetrics(worker())) {
            assertThat(metrics.names("*:*"))
                    .anyMatch(name -> name.contains("connection-pool"))
                    .noneMatch(name -> name.contains(SECRET));
        }
        worker().rest().delete("secretive");
        assertThat(Files.readString(worker().log())).contains("connection pool").doesNotContain(SECRET);
    }
}
