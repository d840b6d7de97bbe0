package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(new IndexSettings("${topic}", Map.of(), Optional.empty(), Optional.empty()));
    }

    @Test
    void allKeys() {
        assertThat(settings(Map.of(
                        "index.name", "kafka-${topic}",
                        "topic.index.map", "a:One, b:two",
                        "index.definition.file", "/etc/tides.json",
                        "pipeline", "geo")))
                .isEqualTo(new IndexSettings(
                        "kafka-${topic}",
                        Map.of("a", "one", "b", "two"),
                        Optional.of(Path.of("/etc/tides.json")),
                        Optional.of("geo")));
    }

    @Test
    void namesIndexesInLowerCaseByMapOrTemplate() {
        IndexSettings settings = settings(Map.of("index.name", "Kafka-${topic}", "topic.index.map", "B:two"));
        assertThat(settings.indexOf("Tides.TITANIC")).isEqualTo("kafka-tides.titanic");
        assertThat(settings.indexOf("B")).isEqualTo("two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-a", "_a", "+a", "a b", "a/b", "a\\b", "a*", "a?", "a\"", "a<", "a>", "a|", "a#", ".", ".."})
    void refusesNamesThatElasticsearchDoesNotAllow(String name) {
        assertThatThrownBy(() -> settings(Map.of("index.name", name)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("index.name")
                .hasMessageContaining("index must");
        assertThatThrownBy(() -> IndexName.of(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void boundsNamesInBytes() {
        assertThat(IndexName.of("\u00e9".repeat(127))).hasSize(127);
        assertThatThrownBy(() -> IndexName.of("\u00e9".repeat(128))).hasMessageContaining("255 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ":b", "a:b,a:c", "a:B*"})
    void refusesMapsThatNameNoIndex(String map) {
        assertThatThrownBy(() -> settings(Map.of("topic.index.map", map)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("topic.index.map");
    }

    private static IndexSettings settings(Map<String, String> props) {
        return IndexSettings.from(Parsed.config(IndexSettings::define, props));
    }
}
