package io.tidegate.connect.elasticsearch.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a user reads whose configuration is tried out on a real node over HTTPS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ElasticsearchCheckIT {
    private static final String SECRET = "hunter2-and-more";

    private final Elasticsearch node = new KeptElasticsearch();

    @BeforeAll
    void startNode() {
        node.start();
        node.request(
                "PUT",
                "/_security/role/reader",
                "{\"indices\": [{\"names\": [\"tides\"], \"privileges\": [\"read\", \"create_doc\"]}]}");
        node.request("PUT", "/_security/user/reader", "{\"password\": \"" + SECRET + "\", \"roles\": [\"reader\"]}");
    }

    @AfterAll
    void closeNode() {
        node.close();
    }

    /** Every complaint after its key. */
    private List<String> complaints(Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(Map.of(
                "name", "tides",
                "connector.class", ElasticsearchBulkSinkConnector.class.getName(),
                "topics", "tides",
                "connection.url", node.url().toString(),
                "connection.username", node.username(),
                "connection.password", node.password(),
                "ssl.ca", node.caCertificate().toString()));
        config.putAll(settings);
        return new ElasticsearchBulkSinkConnector()
                .validate(config).configValues().stream()
                        .flatMap(value -> value.errorMessages().stream().map(error -> value.name() + ": " + error))
                        .toList();
    }

    private String complaint(Map<String, String> settings) {
        List<String> complaints = complaints(settings);
        assertThat(complaints).hasSize(1);
        return complaints.get(0);
    }

    @Test
    void findsAPipelineWhoseNameHasASpace() {
        assertThat(complaint(Map.of("pipeline", "a pipeline")))
                .startsWith("pipeline: there is no ingest pipeline a pipeline on ");
        node.request("PUT", "/_ingest/pipeline/a%20pipeline", "{\"processors\": []}");
        assertThat(complaints(Map.of("pipeline", "a pipeline"))).isEmpty();
        assertThat(complaints(Map.of("pipeline", "_none"))).isEmpty();
    }

    @Test
    void hasNothingToSayAgainstWhatWorks() {
        assertThat(complaints(Map.of())).isEmpty();
        String down = "https://127.0.0.1:1";
        assertThat(complaints(Map.of("connection.url", down + "," + node.url())))
                .as("the first node of two is down")
                .isEmpty();
        assertThat(complaints(Map.of("connection.url", node.url() + "," + down)))
                .as("the second node of two is down")
                .isEmpty();
    }

    @Test
    void tellsThatNobodyListensUnlessThatIsNoReason() {
        Map<String, String> away = Map.of("connection.url", "https://127.0.0.1:1");
        assertThat(complaint(away))
                .startsWith(
                        "connection.url: Elasticsearch at https://127.0.0.1:1 cannot be used: a first request got no"
                                + " answer: ");

        Map<String, String> accepted = new HashMap<>(away);
        accepted.put("validate.server", "if_reachable");
        assertThat(complaints(accepted)).isEmpty();
    }

    @Test
    void tellsWithinTenSecondsOfAServerThatNeverAnswers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort();
            long begin = System.nanoTime();

            assertThat(complaint(Map.of("connection.url", String.join(",", url, url, url, url))))
                    .startsWith("connection.url: Elasticsearch at " + url);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void tellsWhatOfACertificateIsNotTrusted() {
        try (ElasticsearchNode other = ElasticsearchNode.builder().build()) {
            assertThat(complaint(Map.of("ssl.ca", other.caCertificate().toString())))
                    .startsWith("ssl.ca: Elasticsearch at ")
                    .contains("the server presented ", "trusted are ");
        }
    }

    @Test
    void tellsThatThePasswordIsWrongAndKeepsItSecret() {
        assertThat(complaint(Map.of("connection.password", SECRET)))
                .startsWith("connection.password: Elasticsearch at ")
                .contains("does not know us: a first request was answered with 401")
                .doesNotContain(SECRET);
    }

    @Test
    void tellsWhichPrivilegeIsLacking() {
        Map<String, String> reader = Map.of("connection.username", "reader", "connection.password", SECRET);
        assertThat(complaint(reader))
                .startsWith("connection.username: the user lacks the privilege index on tides of Elasticsearch at ");

        Map<String, String> creating = new HashMap<>(reader);
        creating.put("write.method", "create");
        assertThat(complaints(creating)).isEmpty();
    }

    @Test
    void tellsThatThePipelineIsMissing() {
        assertThat(complaint(Map.of("pipeline", "nowhere")))
                .startsWith("pipeline: there is no ingest pipeline nowhere on Elasticsearch at ");
    }
}
