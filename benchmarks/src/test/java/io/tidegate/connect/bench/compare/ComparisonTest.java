package io.tidegate.connect.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.compare.Comparison.Metric;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    private static Results results(String label, Measure measure, double... figures) {
        CandidateInfo entrant = new CandidateInfo(label, "connector", "postgresql", 1, Map.of());
        List<Run> runs = new ArrayList<>();
        for (double figure : figures) {
            runs.add(new Run(label, runs.size() + 1, Run.OK, false, Map.of(measure.key(), figure), List.of()));
        }
        return new Results(
                Results.FORMAT,
                "sink",
                "",
                "",
                true,
                Map.of(),
                Map.of(),
                List.of(entrant),
                runs,
                new Summary(List.of(), List.of()),
                List.of());
    }

    private static Verdict verdict(Measure measure, double[] before, double... after) {
        return Comparison.of(results("a", measure, before), results("a", measure, after), Metric.ALL, 0.05)
                .changes()
                .get(0)
                .verdict();
    }

    @Test
    void seesARateThatFell() {
        double[] before = {100, 101, 99, 100, 102};

        assertThat(verdict(Measure.STEADY_RATE, before, 90, 91, 89, 90, 92)).isEqualTo(Verdict.REGRESSION);
        assertThat(verdict(Measure.STEADY_RATE, before, 97, 97.5, 96.5, 97, 97)).isEqualTo(Verdict.WORSE);
        assertThat(verdict(Measure.STEADY_RATE, before, 120, 119, 121, 120, 118))
                .isEqualTo(Verdict.BETTER);
    }

    @Test
    void seesACostThatRose() {
        double[] before = {5.0, 5.1, 4.9};

        assertThat(verdict(Measure.WORKER_CPU, before, 6.0, 6.1, 5.9)).isEqualTo(Verdict.REGRESSION);
        assertThat(verdict(Measure.WORKER_CPU, before, 4.0, 4.1, 3.9)).isEqualTo(Verdict.BETTER);
    }

    @Test
    void takesNoiseForNoise() {
        assertThat(verdict(Measure.STEADY_RATE, new double[] {80, 100, 120}, 70, 95, 125))
                .isEqualTo(Verdict.SAME);
        assertThat(verdict(Measure.STEADY_RATE, new double[] {100, 100}, 50, 50))
                .isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void givesTheSameIntervalEveryTime() {
        List<Double> before = List.of(1.0, 2.0, 3.0);
        List<Double> after = List.of(2.0, 4.0, 6.0);

        Bootstrap.Interval interval = Bootstrap.ofRatio(before, after);

        assertThat(interval).isEqualTo(Bootstrap.ofRatio(before, after));
        assertThat(interval.ratio()).isEqualTo(2);
        assertThat(interval.low()).isLessThan(2);
        assertThat(interval.high()).isGreaterThan(2);
    }

    @Test
    void namesWhatOnlyOneOfThemHas() {
        Comparison comparison = Comparison.of(
                results("a", Measure.STEADY_RATE, 1), results("b", Measure.STEADY_RATE, 1), Metric.ALL, 0.05);

        assertThat(comparison.changes()).isEmpty();
        assertThat(comparison.missing()).containsExactly("a (only in the first)", "b (only in the second)");
        assertThat(comparison.hasRegression()).isTrue();
    }

    @Test
    void takesAnEntrantThatIsNoLongerMeasuredForARegression() {
        Results one = results("a", Measure.STEADY_RATE, 1);
        Results none = results("a", Measure.STEADY_RATE);

        assertThat(Comparison.of(one, none, Metric.ALL, 0.05).missing()).containsExactly("a (only in the first)");
        assertThat(Comparison.of(one, none, Metric.ALL, 0.05).hasRegression()).isTrue();
        assertThat(Comparison.of(none, one, Metric.ALL, 0.05).hasRegression()).isFalse();
    }

    @Test
    void seesAFigureThatWasZero() {
        double[] none = {0, 0, 0};

        assertThat(verdict(Measure.RETRIES, none, 500, 400, 600)).isEqualTo(Verdict.REGRESSION);
        assertThat(verdict(Measure.RETRIES, none, 0, 1, 1)).isEqualTo(Verdict.SAME);
        assertThat(verdict(Measure.RETRIES, none, 500)).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(Measure.RETRIES, new double[] {500, 400, 600}, none)).isEqualTo(Verdict.BETTER);
        assertThat(Comparison.of(
                                results("a", Measure.RETRIES, none),
                                results("a", Measure.RETRIES, none),
                                Metric.ALL,
                                0.05)
                        .changes())
                .isEmpty();
    }
}
