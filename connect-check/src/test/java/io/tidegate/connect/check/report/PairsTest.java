package io.tidegate.connect.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PairsTest {
    private static CheckCase planned(Map<String, String> settings, String happening) {
        return new CheckCase(
                "jsonb", 1, settings, Map.of("a", 1), List.of(), Map.of(), false, List.of(Step.happen(happening, 1)));
    }

    @Test
    void countsWhatMetAndNamesWhatNeverMet() {
        Pairs pairs = new Pairs();
        pairs.add(planned(Map.of("insert.mode", "upsert", "batch.size", "1"), "connections-cut"));
        pairs.add(planned(Map.of("insert.mode", "upsert", "topics", "c1-a"), "connections-cut"));

        assertThat(pairs.met()).isEqualTo(3);
        assertThat(pairs.features())
                .containsEntry("insert.mode=upsert", 2)
                .containsEntry("batch.size=1", 1)
                .containsEntry("happens=connections-cut", 2)
                .hasSize(3);
        assertThat(pairs.neverMet(
                        List.of(planned(Map.of("insert.mode", "upsert", "batch.size", "7"), "connections-cut"))))
                .containsExactly("batch.size=7 + happens=connections-cut", "batch.size=7 + insert.mode=upsert");
    }

    @Test
    void printsACaseAsATestThatCompiles() {
        String test = PastedTest.of(planned(Map.of("name", "a\"b\\c"), "connections-cut"));

        assertThat(test).startsWith("@Test\nvoid seed1()").contains("\"name\" : \"a\\\\\"b\\\\\\\\c\"");
    }
}
