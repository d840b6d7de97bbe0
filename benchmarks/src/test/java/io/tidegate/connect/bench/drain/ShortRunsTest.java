package io.tidegate.connect.bench.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ShortRunsTest {
    private static Results results(double seconds, double rate) {
        CandidateInfo entrant = new CandidateInfo("jsonb, 1 task", "connector", "postgresql", 1, Map.of());
        Map<String, Double> measures = Map.of(Measure.SECONDS.key(), seconds, Measure.RATE.key(), rate);
        List<Run> runs = List.of(new Run(entrant.label(), 1, Run.OK, false, measures, List.of()));
        return new Results(
                Results.FORMAT,
                "sink",
                "./bench sink",
                "2026-11-21T00:00:00Z",
                true,
                Map.of(),
                Map.of(),
                List.of(entrant),
                runs,
                Summary.of(List.of(entrant), runs),
                List.of());
    }

    @Test
    void saysHowManyRecordsWouldDo() {
        assertThat(ShortRuns.finding(results(0.5, 200_000)))
                .contains("Too few records: runs of jsonb, 1 task took less than 2 s each; their rates are unreliable."
                        + " Use about 1,000,000.");
    }

    @Test
    void saysNothingOfRunsThatAreLongEnough() {
        assertThat(ShortRuns.finding(results(2, 200_000))).isEmpty();
    }
}
