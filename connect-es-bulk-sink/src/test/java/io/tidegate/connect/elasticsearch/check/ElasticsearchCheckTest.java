package io.tidegate.connect.elasticsearch.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector;
import io.tidegate.connect.elasticsearch.StubServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server that is not like the others is asked, and what its answers lead to. */
final class ElasticsearchCheckTest {
    private final StubServer server = new StubServer();

    @AfterEach
    void close() {
        server.close();
    }

    private List<String> complaints(String writeMethod) {
        return new ElasticsearchBulkSinkConnector()
                        .validate(Map.of(
                                "name",
                                "tides",
                                "topics",
                                "tides",
                                "connection.url",
                                server.url(),
                                "write.method",
                                writeMethod))
                        .configValues()
                        .stream()
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
                .startsWith("connection.username: Elasticsearch at " + server.url() + " does not know us: 401");
    }
}
