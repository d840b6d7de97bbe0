package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class BulkSizeBytesTest {
    @Test
    void isAnotherNameForTheBytesOfABatch() {
        assertThat(BulkSizeBytes.translate(Map.of("bulk.size.bytes", "4096")))
                .isEqualTo(Map.of("bulk.size.bytes", "4096", "batch.max.bytes", "4096"));
        assertThat(BulkSizeBytes.translate(Map.of())).isEmpty();
    }

    @Test
    void hasTheSameBounds() {
        assertThatThrownBy(() -> Parsed.config(BulkSizeBytes::define, Map.of("bulk.size.bytes", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("bulk.size.bytes");
        assertThat(Parsed.config(BulkSizeBytes::define, Map.of()).getLong("bulk.size.bytes"))
                .isNull();
    }
}
