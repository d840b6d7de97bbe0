package io.tidegate.connect.common.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonPathTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '`',
            value = {
                "id = $.id",
                "$.id = $.id",
                "metadata.id = $.metadata.id",
                "$.a[0].b = $.a[0].b",
                "$[12][3] = $[12][3]",
                "$['odd name'] = $['odd name']",
                "$[\"odd.name\"].b = $['odd.name'].b",
                "$['plain'] = $.plain",
                "$['it\\'s'] = $['it\\'s']",
                "$['back\\\\slash'] = $['back\\\\slash']",
                "$[''] = $['']",
                "$.@timestamp = $.@timestamp",
                "$.h\u00f6he = $.h\u00f6he"
            })
    void readsAndRendersPaths(String text, String rendered) {
        JsonPath path = JsonPath.parse(text);
        assertThat(path).hasToString(rendered);
        assertThat(JsonPath.parse(path.toString())).isEqualTo(path).hasSameHashCodeAs(path);
    }

    @Test
    void givesItsStepsAsTexts() {
        assertThat(JsonPath.parse("$.lines[10]['a.b']").stepTexts()).isEqualTo(List.of("lines", "10", "a.b"));
    }

    @Test
    void tellsAnElementFromAFieldOfThatName() {
        assertThat(JsonPath.parse("$[0]")).isNotEqualTo(JsonPath.parse("$['0']"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '~',
            value = {
                "$ = it names no field",
                "~~ = is expected at character 1;",
                "$. = is expected at character 2;",
                "$..a = is expected at character 2;",
                "$.a. = is expected at character 4;",
                "$.* = is expected at character 2;",
                "*.a = is expected at character 1;",
                "a b = `.name`, `[0]` or `['odd name']` is expected at character 2;",
                "$a = is expected at character 2;",
                "$[*] = is expected at character 2;",
                "$[-1] = is expected at character 2;",
                "$[9999999999] = is expected at character 2;",
                "$.a[0 = is expected at character 4;",
                "$['a = is expected at character 2;",
                "$['a\" ] = is expected at character 2;",
                "$['a'b] = is expected at character 2;"
            })
    void saysWhatIsWrong(String text, String reason) {
        assertThatThrownBy(() -> JsonPath.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("`" + text.trim() + "` is not a path: ")
                .hasMessageContaining(reason);
    }

    @Test
    void boundsItsSteps() {
        assertThat(JsonPath.parse("$" + "[0]".repeat(100)).steps()).hasSize(100);
        assertThatThrownBy(() -> JsonPath.parse("$" + "[0]".repeat(101))).hasMessageContaining("more than 100 steps");
    }
}
