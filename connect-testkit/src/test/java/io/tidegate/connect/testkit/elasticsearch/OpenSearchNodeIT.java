package io.tidegate.connect.testkit.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class OpenSearchNodeIT {
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void saysWhatItIsAndKeepsDocumentsThroughAKill() {
        try (OpenSearchNode node = OpenSearchNode.builder().fastStart().build()) {
            node.start();
            assertThat(node.request("GET", "/", "").at("/version/distribution").asText())
                    .isEqualTo("opensearch");
            String bulk = "{\"index\": {\"_id\": \"1\"}}\n{\"level\": 1}\n";
            assertThat(node.request("POST", "/stations/_bulk?refresh=true", bulk)
                            .path("errors")
                            .asBoolean(true))
                    .isFalse();

            node.kill();
            node.start();

            Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(
                            node.request("GET", "/stations/_count", "")
                                    .path("count")
                                    .asInt())
                    .isEqualTo(1));
            assertThatThrownBy(() -> node.request("GET", "/nowhere", ""))
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("404");
        }
    }
}
