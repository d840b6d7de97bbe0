package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.Template;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(new IndexSettings(
                        DestinationTemplates.of(Template.parse("${topic}")),
                        DestinationType.ANY,
                        Optional.empty(),
                        Optional.empty(),
                        "tidegate",
                        Optional.empty(),
                        false));
    }

    @Test
    void allKeys() {
        IndexSettings settings = settings(Map.of(
                "index.name", "kafka-${1}",
                "topic.index.map", "a:One, b:two-${key}",
                "topic.index.regex", "(.+)-v[0-9]+",
                "destination.type", "data_stream",
                "index.definition.file", "/etc/tides.json",
                "index.template.file", "/etc/template.json",
                "index.template.name", "tides",
                "pipeline", "geo"));
        assertThat(settings.names().common()).containsExactly(Template.parse("kafka-${1}"));
        assertThat(settings.names().byTopic())
                .isEqualTo(Map.of("a", List.of(Template.parse("One")), "b", List.of(Template.parse("two-${key}"))));
        assertThat(settings.names().topicPattern()).map(Pattern::pattern).contains("(.+)-v[0-9]+");
        assertThat(settings.type()).isEqualTo(DestinationType.DATA_STREAM);
        assertThat(settings.templateFile()).contains(Path.of("/etc/template.json"));
        assertThat(settings.templateName()).isEqualTo("tides");
        assertThat(settings.definitionFile()).contains(Path.of("/etc/tides.json"));
        assertThat(settings.pipelineOfAll()).contains("geo");
        assertThat(settings.pipelineOfRecord()).isEmpty();
    }

    @Test
    void takesPipelinesFromRecords() {
        IndexSettings settings = settings(Map.of("pipeline", "geo-${header:region}"));
        assertThat(settings.pipelineOfAll()).isEmpty();
        assertThat(settings.pipelineOfRecord()).contains(Template.parse("geo-${header:region}"));
        assertThatThrownBy(() -> settings(Map.of("pipeline", "${odd:x}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pipeline");
    }

    @Test
    void refusesWhatIsNoRegularExpression() {
        assertThatThrownBy(() -> settings(Map.of("topic.index.regex", "(")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("topic.index.regex")
                .hasMessageContaining("Unclosed group");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-a",
                "-${topic}",
                "_a",
                "+a",
                "a b",
                "a/b",
                "a\\b",
                "a*",
                "a?",
                "a\"",
                "a<",
                "a>",
                "a|",
                "a#",
                ".",
                ".."
            })
    void refusesNamesThatElasticsearchDoesNotAllow(String name) {
        assertThatThrownBy(() -> settings(Map.of("index.name", name)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("index.name")
                .hasMessageContaining("index must");
    }

    @Test
    void boundsNamesInBytes() {
        assertThat(IndexName.of("\u00e9".repeat(127))).hasSize(127);
        assertThatThrownBy(() -> IndexName.of("a\ud83d")).hasMessageContaining("half a surrogate pair");
        assertThatThrownBy(() -> IndexName.of("\u00e9".repeat(128))).hasMessageContaining("255 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ":b", "a:", "a:b,a:c", "a:B*", "a:${odd:x}"})
    void refusesMapsThatNameNoIndex(String map) {
        assertThatThrownBy(() -> settings(Map.of("topic.index.map", map)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("topic.index.map");
    }

    private static IndexSettings settings(Map<String, String> props) {
        return IndexSettings.from(Parsed.config(IndexSettings::define, props));
    }
}
