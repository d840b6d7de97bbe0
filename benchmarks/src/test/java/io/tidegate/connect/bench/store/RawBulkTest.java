package io.tidegate.connect.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    /** {@code key.ignore} decides only if {@code document.id} is auto. */
    @Test
    void readsDocumentIdBeforeKeyIgnore() throws Exception {
        Map<String, String> key = Map.of("document.id", "key", "key.ignore", "true");
        Map<String, String> coordinates = Map.of("document.id", "coordinates");

        assertThat(body(key)).contains("\"_id\":\"y\"");
        assertThat(RawBulk.needsKeys(key)).isTrue();
        assertThat(body(coordinates)).contains("\"_id\":\"bench+1+0\"");
        assertThat(RawBulk.needsKeys(coordinates)).isFalse();
        assertThat(RawBulk.needsKeys(Map.of())).isTrue();
        assertThat(RawBulk.needsKeys(Map.of("document.id", "auto", "key.ignore", "true")))
                .isFalse();
        assertThatThrownBy(() -> RawBulk.needsKeys(Map.of("document.id", "${header:id}")))
                .hasMessage("--raw-client does not support document.id=${header:id}");
    }

    @Test
    void sendsFewerRecordsIfTheyAreLarge() {
        assertThat(batch(200)).isEqualTo(5000);
        assertThat(batch(4 << 20)).isEqualTo(4);
        assertThat(batch(20 << 20)).isEqualTo(1);
    }

    private static int batch(int bytes) {
        return new RawRecords(List.of(new byte[bytes]), List.of(), Map.of()).batch();
    }

    @Test
    void addsTheTimestampThatTheSinkAdds() {
        assertThat(body(Map.of("document.id", "none", "metadata.fields", "timestamp:@timestamp")))
                .matches("\\{\"index\":\\{}}\n\\{\"@timestamp\":\"[0-9T:.-]+Z\",\"a\":1}\n");
    }
}
