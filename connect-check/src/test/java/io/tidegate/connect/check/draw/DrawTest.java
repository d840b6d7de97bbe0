package io.tidegate.connect.check.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.check.event.Happenings;
import io.tidegate.connect.check.plan.CheckCase;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DrawTest {
    private static final int CASES = 300;
    private static final Plot PLOT = new Plot(Happenings.ALL);

    static SinkDraw[] draws() {
        return new SinkDraw[] {new JsonbDraw(PLOT, true), new SearchDraw(PLOT, true)};
    }

    @ParameterizedTest
    @MethodSource("draws")
    void aSeedGivesTheSameCase(SinkDraw draw) {
        CheckCase drawn = draw.draw(4711);

        assertThat(draw.draw(4711).json()).isEqualTo(drawn.json());
        assertThat(draw.draw(4712).json()).isNotEqualTo(drawn.json());
        assertThat(CheckCase.parse(drawn.json())).isEqualTo(drawn);
    }

    @ParameterizedTest
    @MethodSource("draws")
    void manyFeaturesAreDrawn(SinkDraw draw) {
        Set<String> settings = new TreeSet<>();
        Set<String> happenings = new TreeSet<>();
        IntStream.range(0, CASES).mapToObj(draw::draw).forEach(drawn -> {
            settings.addAll(drawn.settings().keySet());
            happenings.addAll(drawn.happenings());
        });

        assertThat(settings).hasSizeGreaterThan(35).containsAnyOf("insert.mode", "write.method");
        assertThat(happenings).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("draws")
    void eachSettingIsDrawnOrHasAReason(SinkDraw draw) {
        assertThat(draw.drawn())
                .hasSizeGreaterThan(25)
                .doesNotContainAnyElementsOf(draw.notDrawn().keySet());
        assertThat(draw.notDrawn()).isNotEmpty().allSatisfy((setting, reason) -> assertThat(reason)
                .isNotBlank());
    }

    @Test
    void numbersStayWithinTheRangeOfTheSink() {
        Definition definition = new Definition(new io.tidegate.connect.jsonb.JsonbSinkConnector().config());

        assertThat(definition.values("max.in.flight.requests", 0, 1_000)).containsExactly("1", "2", "7", "49");
        assertThat(definition.values("insert.mode", 0, 0)).containsExactly("insert", "upsert", "ignore", "merge");
    }
}
