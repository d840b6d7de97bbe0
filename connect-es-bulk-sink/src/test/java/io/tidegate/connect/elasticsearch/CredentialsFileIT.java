package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** API keys in a file that change while a task runs, on a real node. */
final class CredentialsFileIT {
    private static final Elasticsearch NODE = new KeptElasticsearch();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        NODE.start();
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void anApiKeyThatIsInvalidatedWhileTheTaskRunsLosesNothing() throws Exception {
        Path file = folder.resolve("api-key");
        JsonNode first = NODE.request("POST", "/_security/api_key", "{\"name\": \"first\"}");
        Files.writeString(file, first.path("encoded").asText());
        List<Document> documents = Documents.numbered("rotated", 300);
        try (Target target = new ElasticsearchTargetType()
                        .open(Map.of(
                                "topics",
                                "rotated",
                                "connection.url",
                                NODE.url().toString(),
                                "ssl.ca",
                                NODE.caCertificate().toString(),
                                "connection.credentials.provider",
                                "file",
                                "connection.credentials.file.path",
                                file.toString(),
                                "connection.credentials.file.scheme",
                                "api_key"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(documents.subList(0, 100))).isEmpty();

            NODE.request(
                    "DELETE",
                    "/_security/api_key",
                    "{\"ids\": [\"" + first.path("id").asText() + "\"]}");
            WriteException refused =
                    catchThrowableOfType(WriteException.class, () -> writer.write(documents.subList(100, 200)));
            assertThat(refused.failure()).isEqualTo(Failure.TRANSIENT);
            assertThat(refused).hasMessageContaining("401").hasMessageContaining("unauthorized.retry.ms");

            JsonNode second = NODE.request("POST", "/_security/api_key", "{\"name\": \"second\"}");
            Files.writeString(file, second.path("encoded").asText());
            assertThat(writer.write(refused.unwritten())).isEmpty();
            assertThat(writer.write(documents.subList(200, 300))).isEmpty();
        }
        NODE.request("POST", "/rotated/_refresh", "");
        assertThat(NODE.request("GET", "/rotated/_count", "").path("count").asInt())
                .isEqualTo(300);
    }
}
