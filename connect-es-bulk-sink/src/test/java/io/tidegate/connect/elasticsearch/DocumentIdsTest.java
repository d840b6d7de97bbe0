package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.spi.RefusedException;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class DocumentIdsTest {
    @Test
    void comeFromKeysThatHaveAText() {
        assertThat(fromKey("k")).isEqualTo("k");
        assertThat(fromKey(42L)).isEqualTo("42");
        assertThat(fromKey(true)).isEqualTo("true");
        assertThat(fromKey("\u20ac".getBytes(UTF_8))).isEqualTo("\u20ac");
    }

    @Test
    void comeFromTheRecordsPlaceInKafkaBeforeTheTransforms() {
        SinkRecord record = Documents.record("k", "{}", 7);
        SinkRecord renamed = record.newRecord("other", 0, null, "k", null, record.value(), null);
        assertThat(new String(DocumentIds.FROM_COORDINATES.keyOf(renamed), UTF_8))
                .isEqualTo("tides+0+7");
    }

    @Test
    void refusesKeysThatAreNoText() {
        assertThatThrownBy(() -> fromKey(null)).hasMessageContaining("is null").hasMessageContaining("key.ignore=true");
        assertThatThrownBy(() -> fromKey(Map.of("a", 1))).hasMessageContaining("ExtractField$Key");
        assertThatThrownBy(() -> fromKey(new byte[] {(byte) 0xff})).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> fromKey("")).hasMessageContaining("is empty");
    }

    @Test
    void areBoundedInBytes() {
        assertThat(fromKey("x".repeat(512))).hasSize(512);
        assertThatThrownBy(() -> fromKey("x".repeat(513)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the document's id has 513 bytes, and Elasticsearch allows 512");
        assertThatThrownBy(() -> fromKey("\u20ac".repeat(171))).hasMessageContaining("513 bytes");
    }

    private static String fromKey(Object key) {
        return new String(DocumentIds.FROM_KEY.keyOf(Documents.record(key, "{}", 0)), UTF_8);
    }
}
