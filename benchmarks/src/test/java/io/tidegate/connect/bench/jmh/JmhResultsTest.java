package io.tidegate.connect.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.cli.ToolException;
import org.junit.jupiter.api.Test;

final class JmhResultsTest {
    private static String json(String unit) {
        return """
                [{"jmhVersion": "1.37", "benchmark": "io.tidegate.connect.elasticsearch.BulkPathBenchmark.tidegate",
                  "mode": "avgt", "threads": 1, "forks": 2, "vmName": "OpenJDK", "vmVersion": "17",
                  "warmupIterations": 1, "warmupTime": "1 s", "measurementIterations": 2, "measurementTime": "2 s",
                  "params": {"records": "100"},
                  "primaryMetric": {"score": 25000, "scoreUnit": "%s", "rawData": [[10000, 20000], [30000, 40000]]},
                  "secondaryMetrics": {"gc.alloc.rate": {"rawData": [[9, 9], [9, 9]]},
                    "gc.alloc.rate.norm": {"rawData": [[1000, 2000], [3000, 4000]]}}}]""".formatted(unit);
    }

    @Test
    void givesFiguresOfOneRecordOfEveryIterationOfEveryFork() throws ToolException {
        JmhResults results = JmhResults.of(json("ns/op"));

        assertThat(results.entrants())
                .extracting(CandidateInfo::label)
                .containsExactly("BulkPath.tidegate, records=100");
        assertThat(results.runs()).extracting(Run::round).containsExactly(1, 2, 3, 4);
        assertThat(results.runs())
                .extracting(run -> run.measure(Measure.NANOS).orElseThrow())
                .containsExactly(100.0, 200.0, 300.0, 400.0);
        assertThat(results.runs())
                .extracting(run -> run.measure(Measure.ALLOCATED).orElseThrow())
                .containsExactly(10.0, 20.0, 30.0, 40.0);
    }

    @Test
    void refusesAnotherUnit() {
        assertThatThrownBy(() -> JmhResults.of(json("ops/s")))
                .isInstanceOf(ToolException.class)
                .hasMessage("BulkPath.tidegate, records=100 is measured in ops/s, not in ns/op: leave out JMH's options"
                        + " -bm and -tu");
    }

    @Test
    void refusesWhatIsNoResult() {
        assertThatThrownBy(() -> JmhResults.of("<html>"))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("JMH's result is not JSON: ");
    }
}
