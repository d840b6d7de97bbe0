package io.tidegate.connect.common.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;

final class HeaderTextsTest {
    private static final Set<String> SETTINGS = Set.of("document.id", "index.name");
    private static final String CONVERTER = "header.converter";

    private static String read(String text) {
        return String.valueOf(new SimpleHeaderConverter()
                .toConnectHeader("topic", "id", text.getBytes(UTF_8))
                .value());
    }

    /** Why: two ids would become one. */
    @Test
    void connectsDefaultConverterReadsNumbers() {
        assertThat(read("42:7")).isEqualTo(read("42:8"));
        assertThat(read("007")).isEqualTo(read("7"));
    }

    @Test
    void aTemplateOfAHeaderNeedsAConverterThatKeepsTexts() {
        Map<String, String> template = Map.of("index.name", "a", "document.id", "${header:ce_id}");

        assertThat(HeaderTexts.problem(template, SETTINGS)).hasValueSatisfying(problem -> {
            assertThat(problem.key()).isEqualTo("document.id");
            assertThat(problem.message()).contains(CONVERTER, StringConverter.class.getName());
        });
        assertThat(HeaderTexts.problem(
                        Map.of("document.id", "${header:id}", CONVERTER, SimpleHeaderConverter.class.getName()),
                        SETTINGS))
                .isPresent();
        assertThat(HeaderTexts.problem(
                        Map.of("document.id", "${header:id}", CONVERTER, StringConverter.class.getName()), SETTINGS))
                .isEmpty();
        assertThat(HeaderTexts.problem(Map.of("document.id", "key"), SETTINGS)).isEmpty();
    }

    @Test
    void warnsIfHeadersAreWrittenAsConnectGuessesThem() {
        Map<String, String> guessed = Map.of("written", "offset, headers:h");

        assertThat(HeaderTexts.warning(guessed, "written")).hasValueSatisfying(warning -> assertThat(warning)
                .contains("written", StringConverter.class.getName()));
        assertThat(HeaderTexts.warning(Map.of("written", "offset,key"), "written"))
                .isEmpty();
        assertThat(HeaderTexts.warning(
                        Map.of("written", "headers", CONVERTER, StringConverter.class.getName()), "written"))
                .isEmpty();
        assertThat(HeaderTexts.warning(Map.of(), "written")).isEmpty();
    }
}
