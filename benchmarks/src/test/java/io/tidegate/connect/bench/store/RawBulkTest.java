package io.tidegate.connect.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A ratio of the sink's rate to the raw client's is fair only if both ask the server for the same. */
final class RawBulkTest {
    private static String body(Map<String, String> config) {
        RawRecords records = new RawRecords(
                List.of("{\"a\":1}".getBytes(UTF_8)), List.of("x".getBytes(UTF_8), "y".getBytes(UTF_8)), config);
        try (ElasticsearchNode node = ElasticsearchNode.builder().plainHttp().build()) {
            return new String(new RawBulk("", node, records).body(1, 1), UTF_8);
        }
    }

    @Test
    void writesIdsAndOperationsAsTheSinkDoes() {
        assertThat(body(Map.of("key.ignore", "true"))).isEqualTo("{\"index\":{\"_id\":\"bench+1+0\"}}\n{\"a\":1}\n");
        assertThat(body(Map.of("document.id", "none", "write.method", "create")))
                .isEqualTo("{\"create\":{}}\n{\"a\":1}\n");
        assertThat(body(Map.of("write.method", "upsert")))
                .isEqualTo("{\"update\":{\"_id\":\"y\"}}\n{\"doc\":{\"a\":1},\"doc_as_upsert\":true}\n");
    }

    @Test
    void addsTheTimestampThatTheSinkAdds() {
        assertThat(body(Map.of("document.id", "none", "metadata.fields", "timestamp:@timestamp")))
                .matches("\\{\"index\":\\{}}\n\\{\"@timestamp\":\"[0-9T:.-]+Z\",\"a\":1}\n");
    }
}
