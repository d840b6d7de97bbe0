package io.tidegate.connect.bench.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResumedRunsTest {
    private static final CandidateInfo ONE = entrant("one", "5000");
    private static final CandidateInfo TWO = entrant("two", "5000");

    private static final Results STOPPED = results(
            "abc",
            "1000",
            List.of(ONE, TWO),
            List.of(run("one", 0, Run.OK), run("one", 1, Run.OK), run("two", 1, "no such table")));

    @Test
    void takesOverWhatCounts() throws Exception {
        assertThat(ResumedRuns.runs(STOPPED, now("abc", "1000", ONE, TWO))).containsExactly(run("one", 1, Run.OK));
    }

    @Test
    void takesNothingOverOfAnEntrantThatIsAnother() throws Exception {
        assertThat(ResumedRuns.runs(STOPPED, now("abc", "1000", entrant("one", "100"), TWO)))
                .isEmpty();
    }

    @Test
    void refusesToOverwriteWhatWasMeasuredOtherwise() {
        assertThatThrownBy(() -> ResumedRuns.runs(STOPPED, now("abc", "2000", ONE, TWO)))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("records was 1000 and is 2000. Use another --out");
        assertThatThrownBy(() -> ResumedRuns.runs(STOPPED, now("def", "1000", ONE, TWO)))
                .hasMessageContaining("commit was abc and is def");
    }

    @Test
    void losesNothingWhereNothingCounts() throws Exception {
        Results empty = results("abc", "1000", List.of(ONE), List.of(run("one", 0, Run.OK)));
        assertThat(ResumedRuns.runs(empty, now("def", "2000", ONE))).isEmpty();
    }

    private static CandidateInfo entrant(String label, String batchSize) {
        return new CandidateInfo(label, "connector", "postgresql", 1, Map.of("batch.size", batchSize));
    }

    private static Run run(String entrant, int round, String outcome) {
        return new Run(entrant, round, outcome, false, Map.of(Measure.RATE.key(), 1.0), List.of());
    }

    private static Results now(String commit, String records, CandidateInfo... entrants) {
        return results(commit, records, List.of(entrants), List.of());
    }

    private static Results results(String commit, String records, List<CandidateInfo> entrants, List<Run> runs) {
        return new Results(
                Results.FORMAT,
                "sink",
                "./bench sink",
                "2026-11-22T00:00:00Z",
                false,
                Map.of("commit", commit),
                Map.of("records", records),
                entrants,
                runs,
                Summary.of(entrants, runs),
                List.of());
    }
}
