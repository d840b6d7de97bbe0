package io.tidegate.connect.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    private static final CandidateInfo A = new CandidateInfo("a", "connector", "postgresql", 1, Map.of());
    private static final CandidateInfo B = new CandidateInfo("b", "connector", "postgresql", 1, Map.of());

    private static Run run(CandidateInfo entrant, int round, double rate) {
        return new Run(entrant.label(), round, Run.OK, false, Map.of(Measure.STEADY_RATE.key(), rate), List.of());
    }

    @Test
    void takesTheMedianOfAnyNumberOfFigures() {
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(1, 2, 3, 3));
        assertThat(Spread.of(List.of(4.0, 1.0))).isEqualTo(new Spread(1, 2.5, 4, 2));
    }

    @Test
    void leavesOutWarmUpsAndFailures() {
        List<Run> runs =
                List.of(run(A, 0, 1), run(A, 1, 10), new Run("a", 2, "no such table", false, Map.of(), List.of()));

        Summary summary = Summary.of(List.of(A, B), runs);

        assertThat(summary.lines()).hasSize(1);
        assertThat(summary.lines().get(0).measure(Measure.STEADY_RATE)).contains(new Spread(10, 10, 10, 1));
        assertThat(summary.ratios()).isEmpty();
    }

    /** The machine slows down from round to round; the ratio does not care. */
    @Test
    void comparesRoundByRound() {
        List<Run> runs = List.of(run(A, 1, 100), run(B, 1, 50), run(A, 2, 10), run(B, 2, 5), run(B, 3, 7));

        Summary summary = Summary.of(List.of(A, B), runs);

        assertThat(summary.ratios())
                .containsExactly(new Summary.Ratio("b", "a", Measure.STEADY_RATE.key(), new Spread(0.5, 0.5, 0.5, 2)));
    }
}
