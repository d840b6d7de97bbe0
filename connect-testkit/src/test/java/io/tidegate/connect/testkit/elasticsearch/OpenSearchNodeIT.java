package io.tidegate.connect.testkit.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import org.junit.jupiter.api.Test;

final class OpenSearchNodeIT {
    @Test
    void saysWhatItIsAndTakesDocuments() {
        try (OpenSearchNode node = OpenSearchNode.builder().fastStart().build()) {
            node.start();
            assertThat(node.request("GET", "/", "").at("/version/distribution").asText())
                    .isEqualTo("opensearch");
            String bulk = "{\"index\": {\"_id\": \"1\"}}\n{\"level\": 1}\n";
            assertThat(node.request("POST", "/stations/_bulk?refresh=true", bulk)
                            .path("errors")
                            .asBoolean(true))
                    .isFalse();

            assertThat(node.request("GET", "/stations/_count", "").path("count").asInt())
                    .isOne();
            assertThatThrownBy(() -> node.request("GET", "/nowhere", ""))
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("404");
        }
    }
}
