package io.tidegate.connect.elasticsearch;

import static io.tidegate.connect.elasticsearch.Permissions.array;
import static io.tidegate.connect.elasticsearch.Permissions.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchRelease;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.scenarios.SinkHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenSearch with its security plugin: TLS, users with passwords and with client certificates, and the permissions of the
 * page on privileges. The release is the one that -Dtestkit.opensearch names.
 */
@Tag("smoke")
final class OpenSearchSecurityIT extends SinkHarness {
    private static final String USER = "tidegate";
    private static final String BY_CERTIFICATE = "tidegate-by-certificate";
    private static final String PASSWORD = Passwords.random() + "-Zq";

    private static final String BULK = "indices:data/write/bulk";
    private static final String ITEMS = "indices:data/write/bulk*";
    private static final String INDEX = "indices:data/write/index";
    private static final String UPDATE = "indices:data/write/update";
    private static final String DELETE = "indices:data/write/delete";
    private static final String NEW_FIELDS = "indices:admin/mapping/put";
    private static final String CREATE = "indices:admin/create";

    @TempDir
    static Path folder;

    private final OpenSearchNode node =
            OpenSearchNode.builder().security().fastStart().build();
    private final ElasticsearchStore store = new ElasticsearchStore(node, connection(Map.of()));

    /** A row of the page's table. */
    private record Use(String name, Map<String, String> settings, List<String> cluster, List<String> index) {}

    private static List<Use> uses() {
        Map<String, String> byPlace = Map.of("key.ignore", "true");
        return List.of(
                new Use("new", byPlace, List.of(BULK), List.of(ITEMS, INDEX, CREATE, NEW_FIELDS)),
                new Use("existing", byPlace, List.of(BULK), List.of(ITEMS, INDEX, NEW_FIELDS)),
                new Use(
                        "existing-merged",
                        Map.of("key.ignore", "false", "write.method", "upsert"),
                        List.of(BULK),
                        List.of(ITEMS, UPDATE, NEW_FIELDS)),
                new Use(
                        "existing-deleted",
                        Map.of("key.ignore", "false", "behavior.on.null.values", "delete"),
                        List.of(BULK),
                        List.of(ITEMS, INDEX, DELETE, NEW_FIELDS)),
                new Use(
                        "by-definition",
                        Map.of("key.ignore", "true", "index.definition.file", "{\"mappings\": {}}"),
                        List.of(BULK),
                        List.of(ITEMS, INDEX, CREATE, NEW_FIELDS)),
                new Use(
                        "by-template",
                        Map.of("key.ignore", "true", "index.template.file", "{\"index_patterns\": [\"NAME\"]}"),
                        List.of(BULK, "indices:admin/index_template/put"),
                        List.of(ITEMS, INDEX, CREATE, NEW_FIELDS)));
    }

    @Override
    protected ElasticsearchStore store() {
        return store;
    }

    @Override
    protected void startStore() {
        ServerSmoke.skipIf(OpenSearchRelease.ofTests().obstacle());
        node.start();
        createUser(USER, "*", List.of(BULK), List.of(ITEMS, INDEX, NEW_FIELDS));
        mapRole(USER, USER, BY_CERTIFICATE);
    }

    private Map<String, String> connection(Map<String, String> settings) {
        Map<String, String> connection = new HashMap<>(Map.of(
                "connection.username", USER,
                "connection.password", PASSWORD,
                "ssl.ca", node.certificates().caCertificate().toString()));
        connection.putAll(settings);
        return connection;
    }

    private void createUser(String name, String indexes, List<String> cluster, List<String> index) {
        node.request(
                "PUT",
                "/_plugins/_security/api/roles/" + name,
                "{\"cluster_permissions\": " + array(cluster) + ", \"index_permissions\": [{\"index_patterns\": [\""
                        + indexes + "\"], \"allowed_actions\": " + array(index) + "}]}");
        node.request("PUT", "/_plugins/_security/api/internalusers/" + name, "{\"password\": \"" + PASSWORD + "\"}");
        mapRole(name, name);
    }

    private void mapRole(String role, String... users) {
        node.request(
                "PUT", "/_plugins/_security/api/rolesmapping/" + role, "{\"users\": " + array(List.of(users)) + "}");
    }

    @Test
    void writesEveryRecordAsAUserWithAPassword() {
        records().send(topic(), 0, 1_000);
        startSink(2, Map.of());

        awaitStored(0, 1_000);
        assertNoTaskFailed();
    }

    @Test
    void writesEveryRecordAsTheUserOfItsCertificate() {
        Certificates.Identity identity =
                node.certificates().client(BY_CERTIFICATE).issue();
        records().send(topic(), 0, 1_000);
        startSink(
                2,
                Map.of(
                        "connection.username",
                        "",
                        "connection.password",
                        "",
                        "ssl.certificate",
                        identity.certificate().toString(),
                        "ssl.key",
                        identity.privateKey().toString()));

        awaitStored(0, 1_000);
        assertNoTaskFailed();
    }

    @Test
    void saysWhichCredentialsToCheck() {
        WriteException wrongPassword =
                failure(Map.of("connection.password", "not the password", "unauthorized.retry.ms", "0"), USER);
        assertThat(wrongPassword.failure()).isEqualTo(Failure.FATAL);
        assertThat(wrongPassword)
                .hasMessageContaining("401")
                .hasMessageContaining("check connection.username and connection.password");

        assertThat(rest().validate(
                                ElasticsearchBulkSinkConnector.class.getName(),
                                config(Map.of("connection.password", "not the password")))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("connection.password: ");
    }

    private Map<String, String> config(Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(store.sinkConfig());
        config.put("connection.url", node.url().toString());
        config.put("name", topic());
        config.put("topics", topic());
        config.putAll(settings);
        return config;
    }

    private void writeTo(String index, Map<String, String> settings) throws WriteException {
        Map<String, String> props = config(settings);
        props.put("index.name", index);
        Permissions.write(props);
    }

    private WriteException failure(Map<String, String> settings, String index) {
        return catchThrowableOfType(WriteException.class, () -> writeTo(index, settings));
    }

    @Test
    void thePermissionsOfThePageAreEnoughAndEachIsNeeded() throws Exception {
        Set<String> needed = new HashSet<>();
        for (Use use : uses()) {
            String enough = use.name();
            createUserAndIndex(use, enough, use.cluster(), use.index());
            writeTo(enough, settings(use, enough));
            node.request("POST", "/" + enough + "/_refresh", "");
            assertThat(node.request("GET", "/" + enough + "/_count", "")
                            .path("count")
                            .asInt())
                    .as(use.name())
                    .isPositive();

            List<String> all =
                    Stream.concat(use.cluster().stream(), use.index().stream()).toList();
            for (String missing : all) {
                if (!needed.add(missing)) {
                    continue; // another use has shown it, and each attempt takes long
                }
                String name = enough + "-without-" + all.indexOf(missing);
                createUserAndIndex(use, name, without(missing, use.cluster()), without(missing, use.index()));

                WriteException e = failure(settings(use, name), name);

                assertThat(e).as("%s without %s", use.name(), missing).isNotNull();
                assertThat(e.failure()).isEqualTo(Failure.FATAL);
                assertThat(e).as("%s without %s", use.name(), missing).hasMessageContaining("403");
            }
        }
    }

    private void createUserAndIndex(Use use, String name, List<String> cluster, List<String> index) {
        if (use.name().startsWith("existing")) {
            node.request("PUT", "/" + name, "");
        }
        createUser(name, name, cluster, index);
    }

    private static Map<String, String> settings(Use use, String name) throws IOException {
        Map<String, String> settings = new HashMap<>(use.settings());
        for (String key : List.of("index.definition.file", "index.template.file")) {
            if (settings.containsKey(key)) {
                settings.put(
                        key,
                        Files.writeString(
                                        folder.resolve(name), settings.get(key).replace("NAME", name))
                                .toString());
            }
        }
        if (settings.containsKey("index.template.file")) {
            settings.put("index.template.name", name);
        }
        settings.put("connection.username", name);
        return settings;
    }
}
