package io.tidegate.connect.elasticsearch;

import static io.tidegate.connect.elasticsearch.Permissions.array;
import static io.tidegate.connect.elasticsearch.Permissions.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The roles of the page on security: exactly the privileges that stand there are enough, and without any one of them the
 * sink cannot write, and says so. On a real node.
 */
final class ElasticsearchPrivilegesIT {
    private static final Elasticsearch NODE = new KeptElasticsearch();
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    private static Path folder;

    /**
     * A row of the page's table.
     *
     * @param there whether the index is there before
     */
    private record Use(
            String name, boolean there, Map<String, String> settings, List<String> cluster, List<String> index) {
        boolean isDataStream() {
            return settings.containsValue("data_stream");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Use> uses() {
        Map<String, String> byPlace = Map.of("key.ignore", "true");
        return Stream.of(
                new Use("an index that is there", true, byPlace, List.of(), List.of("index")),
                new Use(
                        "an index that is made when it is written to",
                        false,
                        byPlace,
                        List.of(),
                        List.of("index", "auto_configure")),
                new Use(
                        "documents that are only created",
                        true,
                        Map.of("key.ignore", "true", "write.method", "create"),
                        List.of(),
                        List.of("create_doc")),
                new Use(
                        "documents that are merged",
                        true,
                        Map.of("key.ignore", "false", "write.method", "upsert"),
                        List.of(),
                        List.of("index")),
                new Use(
                        "tombstones that delete",
                        true,
                        Map.of("key.ignore", "false", "behavior.on.null.values", "delete"),
                        List.of(),
                        List.of("index", "delete")),
                new Use(
                        "a data stream",
                        false,
                        Map.of("key.ignore", "true", "write.method", "create", "destination.type", "data_stream"),
                        List.of(),
                        List.of("create_doc", "auto_configure")),
                new Use(
                        "an index made by definition",
                        false,
                        Map.of("key.ignore", "true", "index.definition.file", "definition"),
                        List.of(),
                        List.of("index", "create_index")),
                new Use(
                        "an index made by template",
                        false,
                        Map.of("key.ignore", "true", "index.template.file", "template"),
                        List.of("manage_index_templates"),
                        List.of("index", "auto_configure")));
    }

    /** A user, and an index that nobody else writes to. */
    private record Attempt(String index, Map<String, String> props) {
        static Attempt of(Use use, List<String> cluster, List<String> privileges) throws IOException {
            String name = (use.isDataStream() ? "stream-" : "p") + NAMES.incrementAndGet();
            if (use.there) {
                NODE.request("PUT", "/" + name, "");
            }
            NODE.request(
                    "PUT",
                    "/_security/role/" + name,
                    "{\"cluster\": " + array(cluster) + ", \"indices\": [{\"names\": [\"" + name
                            + "\"], \"privileges\": " + array(privileges.isEmpty() ? List.of("none") : privileges)
                            + "}]}");
            NODE.request(
                    "PUT", "/_security/user/" + name, "{\"password\": \"password\", \"roles\": [\"" + name + "\"]}");
            return new Attempt(name, props(use, name));
        }

        private static Map<String, String> props(Use use, String name) throws IOException {
            Map<String, String> props = new HashMap<>(use.settings);
            props.computeIfPresent("index.definition.file", (key, file) -> write(name, "{\"mappings\": {}}"));
            props.computeIfPresent(
                    "index.template.file",
                    (key, file) -> write(name, "{\"index_patterns\": [\"" + name + "\"], \"priority\": 900}"));
            if (use.settings().containsKey("index.template.file")) {
                props.put("index.template.name", name);
            }
            props.putAll(Map.of(
                    "topics",
                    "readings",
                    "index.name",
                    name,
                    "connection.url",
                    NODE.url().toString(),
                    "connection.username",
                    name,
                    "connection.password",
                    "password",
                    "ssl.ca",
                    NODE.caCertificate().toString()));
            return props;
        }

        private static String write(String name, String json) {
            try {
                return Files.writeString(folder.resolve(name + ".json"), json).toString();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @BeforeAll
    static void start() {
        NODE.start();
        NODE.request(
                "PUT",
                "/_index_template/streams",
                "{\"index_patterns\": [\"stream-*\"], \"data_stream\": {}, \"priority\": 900}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @ParameterizedTest
    @MethodSource("uses")
    void thePrivilegesOfThePageAreEnough(Use use) throws Exception {
        Attempt attempt = Attempt.of(use, use.cluster, use.index);

        Permissions.write(attempt.props());

        NODE.request("POST", "/" + attempt.index() + "/_refresh", "");
        assertThat(NODE.request("GET", "/" + attempt.index() + "/_count", "")
                        .path("count")
                        .asInt())
                .isPositive();
    }

    @ParameterizedTest
    @MethodSource("uses")
    void noneOfThePrivilegesOfThePageIsTooMuch(Use use) throws Exception {
        for (String missing :
                Stream.concat(use.cluster.stream(), use.index.stream()).toList()) {
            Attempt attempt = Attempt.of(use, without(missing, use.cluster), without(missing, use.index));

            WriteException e = catchThrowableOfType(WriteException.class, () -> Permissions.write(attempt.props()));

            assertThat(e).as("without %s", missing).isNotNull();
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e).hasMessageContaining("403").hasMessageContaining("privileges");
        }
    }
}
