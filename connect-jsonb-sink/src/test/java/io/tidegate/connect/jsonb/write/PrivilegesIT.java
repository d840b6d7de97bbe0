package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The roles of the page on security: exactly what a role is granted there is enough, and without any one of its grants
 * the sink cannot write, and says so. On a real PostgreSQL.
 */
final class PrivilegesIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String STATION = ", station text PRIMARY KEY";

    /** A row of the page's table. {@code %s} is the schema, in which everything of one attempt lives. */
    private record Use(String settings, String columns, List<String> grants) {
        static Use of(String settings, String columns, String... grants) {
            return new Use(settings, columns, List.of(grants));
        }

        boolean isTableMade() {
            return settings.contains("auto.create");
        }

        @Override
        public String toString() {
            return settings;
        }
    }

    static Stream<Use> uses() {
        return Stream.of(
                Use.of("pk.mode=none insert.mode=insert", "", "INSERT ON %s.readings"),
                Use.of(
                        "pk.mode=kafka insert.mode=ignore",
                        ", __connect_topic text, __connect_partition int, __connect_offset bigint,"
                                + " UNIQUE (__connect_topic, __connect_partition, __connect_offset)",
                        "INSERT ON %s.readings",
                        "SELECT (__connect_topic, __connect_partition, __connect_offset) ON %s.readings"),
                Use.of(
                        "pk.mode=record_key pk.fields=station insert.mode=upsert",
                        STATION,
                        "INSERT ON %s.readings",
                        "UPDATE (doc) ON %s.readings",
                        "SELECT (doc, station) ON %s.readings"),
                Use.of(
                        "pk.mode=record_key pk.fields=station insert.mode=merge",
                        STATION,
                        "INSERT ON %s.readings",
                        "UPDATE (doc) ON %s.readings",
                        "SELECT (doc, station) ON %s.readings"),
                Use.of(
                        "pk.mode=record_key pk.fields=station insert.mode=upsert delete.enabled=true",
                        STATION,
                        "INSERT ON %s.readings",
                        "UPDATE (doc) ON %s.readings",
                        "SELECT (doc, station) ON %s.readings",
                        "DELETE ON %s.readings"),
                Use.of(
                        "delivery.guarantee=exactly_once",
                        "",
                        "INSERT ON %s.readings",
                        "SELECT ON %s.tidegate_offsets",
                        "INSERT ON %s.tidegate_offsets",
                        "UPDATE (next_offset, generation, record_offset, record_timestamp, record_hash, record_rules)"
                                + " ON %s.tidegate_offsets"),
                Use.of("auto.create=true", "", "CREATE ON SCHEMA %s"));
    }

    /** A schema, a role that may use it, and what that role is granted in it. */
    private record Attempt(String schema, Map<String, String> props) {
        /** Both have the same name, so that the role finds the schema without a setting. */
        static Attempt of(Use use, List<String> grants) {
            String name = "p" + NAMES.incrementAndGet();
            STORE.execute("CREATE SCHEMA " + name);
            if (!use.isTableMade()) {
                STORE.execute("CREATE TABLE " + name + ".readings (doc jsonb NOT NULL" + use.columns + ")");
            }
            STORE.execute("CREATE TABLE " + name + ".tidegate_offsets (connector text, topic text, partition integer,"
                    + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint,"
                    + " record_rules bigint,"
                    + " PRIMARY KEY (connector, topic, partition))");
            STORE.execute("CREATE ROLE " + name + " LOGIN PASSWORD 'p'");
            STORE.execute("GRANT USAGE ON SCHEMA " + name + " TO " + name);
            grants.forEach(grant -> STORE.execute("GRANT " + grant.formatted(name) + " TO " + name));
            Map<String, String> props = Props.of(use.settings);
            props.putAll(Map.of(
                    "name",
                    name,
                    "topics",
                    "readings",
                    "connection.url",
                    SERVER.jdbcUrl(),
                    "connection.user",
                    name,
                    "connection.password",
                    "p",
                    "table.name.format",
                    "readings"));
            return new Attempt(name, props);
        }

        List<String> complaints() {
            try (ServerCheck check = new PostgresTargetType().serverCheck(props).orElseThrow()) {
                return check.run().stream()
                        .map(finding -> finding.problem().message())
                        .toList();
            }
        }

        /** Twice, as after a crash; then a deletion where there are some. */
        void write() throws WriteException {
            Progress assignment = new Progress(new TopicPartition("readings", 0), 1);
            try (Target target = new PostgresTargetType().open(props);
                    BatchWriter writer = target.openWriter(0)) {
                List<Document> documents = documents(target, assignment);
                assertThat(writer.write(documents)).isEmpty();
                assertThat(writer.write(documents)).isEmpty();
                if (props.containsKey("delete.enabled")) {
                    assertThat(writer.write(List.of(target.mapper()
                                    .map(record(2, Optional.empty()), assignment)
                                    .orElseThrow())))
                            .isEmpty();
                }
            }
        }

        private static List<Document> documents(Target target, Progress assignment) {
            List<Document> documents = new ArrayList<>();
            for (int offset = 0; offset < 2; offset++) {
                target.mapper()
                        .map(record(offset, Optional.of("{\"n\": " + offset + "}")), assignment)
                        .ifPresent(documents::add);
            }
            return documents;
        }

        private static SinkRecord record(long offset, Optional<String> json) {
            return new SinkRecord("readings", 0, null, "k" + offset % 2, null, json.orElse(null), offset);
        }
    }

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("uses")
    void theGrantsOfThePageAreEnough(Use use) throws WriteException {
        Attempt attempt = Attempt.of(use, use.grants);

        assertThat(attempt.complaints()).isEmpty();
        attempt.write();
        assertThat(STORE.column("SELECT count(*) > 0 FROM " + attempt.schema() + ".readings"))
                .containsExactly("t");
    }

    @ParameterizedTest
    @MethodSource("uses")
    void noneOfTheGrantsOfThePageIsTooMuch(Use use) {
        for (String missing : use.grants) {
            Attempt attempt = Attempt.of(
                    use,
                    use.grants.stream().filter(grant -> !grant.equals(missing)).toList());

            assertThat(attempt.complaints()).as("without %s", missing).isNotEmpty();
            WriteException e = catchThrowableOfType(WriteException.class, attempt::write);
            assertThat(e).as("without %s", missing).isNotNull();
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e).hasMessageContaining("42501");
        }
    }
}
