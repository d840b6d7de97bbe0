package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AliasesTest {
    private final Aliases aliases = new Aliases(Map.of("their.size", "our.size", "their.name", "our.name"));

    @Test
    void whatStandsUnderAnotherNameStandsUnderOurs() {
        assertThat(aliases.resolve(Map.of("their.size", "7", "other", "x")))
                .isEqualTo(Map.of("our.size", "7", "other", "x"));
    }

    @Test
    void ourNameCounts() {
        assertThat(aliases.resolve(Map.of("their.size", "7", "our.size", "8"))).isEqualTo(Map.of("our.size", "8"));
    }

    @Test
    void aSettingWithoutAValueStaysWithoutOne() {
        Map<String, String> props = new HashMap<>();
        props.put("their.size", null);
        props.put("other", null);

        assertThat(aliases.resolve(props)).containsOnlyKeys("our.size", "other").containsValues((String) null);
    }

    @Test
    void aSettingWithAnotherFormIsTranslated() {
        Aliases translating = new Aliases(
                Map.of(),
                Map.of(
                        "their.size", (size, props) -> Map.of("our.size", size + "0"),
                        "mode", (mode, props) -> Map.of("mode", mode)),
                Map.of("their.extra", "remove it"));
        Map<String, String> given = Map.of("their.size", "7", "mode", "x", "their.extra", "y");

        assertThat(translating.resolve(given)).isEqualTo(Map.of("our.size", "70", "mode", "x", "their.extra", "y"));
        assertThat(translating.readings(given)).isEqualTo(Map.of("their.size", "our.size=70"));
        assertThat(translating.withoutEffect(given)).isEqualTo(Map.of("their.extra", "remove it"));
        assertThat(translating.withoutEffect(Map.of())).isEmpty();
    }

    @Test
    void twoNamesWithTwoValuesAreAContradiction() {
        assertThat(aliases.contradictions(
                        Map.of("their.size", "7", "our.size", "8", "their.name", "n", "our.name", "n")))
                .containsExactly(
                        new Problem("our.size", "has different values by [our.size, their.size]; keep one of these"));
    }

    @Test
    void soAreTwoValuesByATranslation() {
        Aliases translating = new Aliases(
                Map.of("their.name", "our.size"),
                Map.of(
                        "their.size", (size, props) -> Map.of("our.size", size + "0"),
                        "our.mode", (mode, props) -> Map.of("our.mode", "y"),
                        "their.mode", (mode, props) -> Map.of("our.mode", "y")),
                Map.of());

        assertThat(translating.contradictions(Map.of("their.size", "7", "our.size", "8")))
                .containsExactly(
                        new Problem("our.size", "has different values by [our.size, their.size]; keep one of these"));
        assertThat(translating.resolve(Map.of("their.size", "7", "our.size", "8")))
                .isEqualTo(Map.of("our.size", "8"));
        assertThat(translating.contradictions(Map.of("their.size", "7", "their.name", "8")))
                .extracting(Problem::key)
                .containsExactly("our.size");
        assertThat(translating.contradictions(Map.of("their.size", "7", "our.size", " 70", "their.name", "70 ")))
                .isEmpty();
        assertThat(translating.contradictions(Map.of("our.mode", "x", "their.mode", "z")))
                .as("a setting that is itself translated")
                .isEmpty();
    }
}
