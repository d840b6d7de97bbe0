package io.tidegate.connect.elasticsearch.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector;
import io.tidegate.connect.elasticsearch.StubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server that is not like the others is asked, and what its answers lead to. */
final class ElasticsearchCheckTest {
    private final StubServer server = new StubServer();

    @AfterEach
    void close() {
        server.close();
    }

    private List<String> complaints(String writeMethod) {
        return complaints(Map.of("write.method", writeMethod));
    }

    private List<String> complaints(Map<String, String> more) {
        Map<String, String> props =
                new HashMap<>(Map.of("name", "tides", "topics", "tides", "connection.url", server.url()));
        props.putAll(more);
        return new ElasticsearchBulkSinkConnector()
                .validate(props).configValues().stream()
                        .flatMap(value -> value.errorMessages().stream().map(error -> value.name() + ": " + error))
                        .toList();
    }

    private void answersWithADataStream() {
        server.answers(200, "{\"cluster_name\":\"c\",\"version\":{\"number\":\"8.19.0\"}}")
                .answers(400, "{\"error\":\"no handler found for uri [/_security/user/_has_privileges]\"}")
                .answers(200, "{\"indices\":[],\"aliases\":[],\"data_streams\":[{\"name\":\"tides\"}]}");
    }

    @Test
    void tellsThatADataStreamOnlyTakesNewDocumentsAndLeavesOutWhatTheServerDoesNotKnow() {
        answersWithADataStream();
        assertThat(complaints("index"))
                .containsExactly("write.method: tides on Elasticsearch at " + server.url()
                        + " is a data stream, whose documents are only created: set write.method=create");

        answersWithADataStream();
        assertThat(complaints("create")).isEmpty();
    }

    @Test
    void asksNothingOfAServerThatDoesNotKnowUs() {
        server.answers(401, "{\"error\":{\"type\":\"security_exception\",\"reason\":\"missing credentials\"}}");

        assertThat(complaints("index"))
                .singleElement()
                .asString()
                .startsWith("connection.username: Elasticsearch at " + server.url()
                        + " does not know us: a first request was answered with 401");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void tellsOfAServerThatAnswersWithErrors(int status) {
        server.isOpenSearch().answers(status, "").answers(status, "");

        assertThat(complaints(Map.of("validate.server", "always")))
                .singleElement()
                .asString()
                .startsWith("connection.url: Elasticsearch at " + server.url()
                        + " cannot be used: a first request was answered with " + status);
        assertThat(complaints(Map.of("validate.server", "if_reachable"))).isEmpty();
    }

    @Test
    void tellsOfARedirection() {
        server.isOpenSearch().answers(302, Map.of("Location", "http://localhost:1/"), "");

        assertThat(complaints("index"))
                .singleElement()
                .asString()
                .startsWith("connection.url: Elasticsearch at " + server.url() + " cannot be used: ")
                .contains("redirections are not followed");
    }

    @Test
    void anotherNodeAnswersForOneThatIsDown() {
        try (StubServer down = new StubServer()) {
            down.isOpenSearch().answers(503, "").answers(503, "").answers(503, "");
            server.answers(200, "{\"cluster_name\":\"c\"}").answers(200, "{}").answers(404, "{}");

            assertThat(complaints(
                            Map.of("connection.url", down.url() + "," + server.url(), "validate.server", "always")))
                    .isEmpty();
        }
    }

    @Test
    void asksForThePrivilegeToDeleteWhereARecordMayNameTheDeletion() {
        server.answers(200, "{\"cluster_name\":\"c\"}").answers(200, "{}").answers(404, "{}");

        assertThat(complaints(Map.of(
                        "write.method",
                        "${header:op}",
                        "header.converter",
                        "org.apache.kafka.connect.storage.StringConverter")))
                .isEmpty();
        assertThat(server.requests().get(1).text()).contains("\"privileges\":[\"index\",\"delete\"]");
    }

    private Map<String, String> withFile(Path file) {
        return Map.of(
                "validate.server",
                "always",
                "connection.credentials.provider",
                "file",
                "connection.credentials.file.path",
                file.toString());
    }

    @Test
    void namesTheProviderThatHasNoCredentials(@TempDir Path folder) {
        Path file = folder.resolve("token");

        assertThat(complaints(withFile(file)))
                .singleElement()
                .isEqualTo("connection.credentials.provider: Elasticsearch at " + server.url()
                        + " was not asked: connection.credentials.provider=file has no credentials: " + file
                        + " does not exist");
    }

    @Test
    void asksNothingMoreOfAServerThatRefusesATokenOfAws(@TempDir Path folder) throws IOException {
        String expired = "{\"message\":\"The security token included in the request is expired\"}";
        server.answers(403, expired).answers(403, expired);
        Path file = Files.writeString(folder.resolve("token"), "token");

        assertThat(complaints(withFile(file)))
                .singleElement()
                .asString()
                .startsWith("connection.credentials.provider: Elasticsearch at " + server.url()
                        + " does not know us: a first request was answered with 403")
                .contains("is expired");
    }
}
