package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.NullValues;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DocumentSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of())).isEqualTo(new DocumentSettings(false, NullValues.FAIL, WriteMethod.INDEX, true));
    }

    @Test
    void allKeys() {
        assertThat(settings(Map.of(
                        "key.ignore", "true",
                        "behavior.on.null.values", "delete",
                        "write.method", "create",
                        "external.version", "offset")))
                .isEqualTo(new DocumentSettings(true, NullValues.DELETE, WriteMethod.CREATE, true));
    }

    @Test
    void takesOffsetsForVersionsOnlyWhereIdsComeFromKeysAndDocumentsAreReplaced() {
        assertThat(settings(Map.of("key.ignore", "true")).externalVersion()).isFalse();
        assertThat(settings(Map.of("write.method", "create")).externalVersion()).isFalse();
        assertThat(settings(Map.of("external.version", "none")).externalVersion())
                .isFalse();
    }

    @Test
    void knowsConfluentsNameForIndex() {
        assertThat(settings(Map.of("write.method", "insert")).writeMethod()).isEqualTo(WriteMethod.INDEX);
    }

    private static DocumentSettings settings(Map<String, String> props) {
        return DocumentSettings.from(Parsed.config(DocumentSettings::define, props));
    }
}
