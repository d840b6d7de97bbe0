package io.tidegate.connect.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.compare.Comparison.Metric;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BaselineTest {
    @TempDir
    private Path folder;

    private static CandidateInfo entrant(String label, String kind, String store) {
        return new CandidateInfo(label, kind, store, 1, Map.of("connection.password", "secret"));
    }

    /** Three runs of a sink on a machine of that slowness; the sink costs so many times the no-op sink and the raw client. */
    private static Results results(String processor, double slowness, double worker, double server) {
        List<CandidateInfo> entrants = List.of(
                entrant("sink, 1 task", "connector", "postgresql"),
                entrant("no-op sink, 1 task", "no-op-sink", "none"),
                entrant("raw _bulk, 1 connection", "raw-client", "elasticsearch"),
                entrant("raw COPY, 1 connection", "raw-client", "postgresql"));
        List<Run> runs = new ArrayList<>();
        for (int round = 0; round <= 3; round++) {
            double noise = slowness * (1 + round / 1000.0);
            runs.add(run(entrants.get(0), round, worker * noise, server * noise));
            runs.add(run(entrants.get(1), round, noise, 0));
            runs.add(run(entrants.get(2), round, noise, 50 * noise));
            runs.add(run(entrants.get(3), round, noise, noise));
        }
        return new Results(
                Results.FORMAT,
                "sweep",
                "",
                "",
                true,
                Map.of("processor", processor, "processors", "2"),
                Map.of(),
                entrants,
                runs,
                new Summary(List.of(), List.of()),
                List.of("a finding"));
    }

    private static Run run(CandidateInfo entrant, int round, double worker, double server) {
        Map<String, Double> measures =
                Map.of(Measure.WORKER_CPU.key(), worker, Measure.SERVER_CPU.key(), server, Measure.HEAP.key(), 99.0);
        List<Sample> series = List.of(new Sample(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        return new Run(entrant.label(), round, Run.OK, false, measures, series);
    }

    @Test
    void keepsOnlyWhatAComparisonReads() throws Exception {
        Path kind = new Baseline(folder).write(results("Intel(R) Xeon(R)", 1, 2, 3));

        assertThat(kind).isEqualTo(folder.resolve("intel-r-xeon-r-2-cores"));
        assertThat(kind.resolve("results.json"))
                .content()
                .doesNotContain("secret", "heap", "a finding", "\"round\" : 0")
                .contains("worker_cpu_s_per_million");
    }

    @Test
    void choosesTheResultsOfTheSameKindOfMachine() throws Exception {
        new Baseline(folder).write(results("A", 1, 2, 3));
        new Baseline(folder).write(results("B", 1, 2, 3));
        Results later = results("B", 1, 2, 3);

        assertThat(new Baseline(folder).read(later).environment()).containsEntry("processor", "B");
        assertThat(Baseline.isSameKind(new Baseline(folder).read(later), later)).isTrue();
        assertThat(Baseline.isSameKind(new Baseline(folder).read(results("C", 1, 2, 3)), later))
                .isFalse();
    }

    @Test
    void comparesRatiosAcrossMachines() throws Exception {
        Results before = Baseline.ratios(results("A", 1, 2, 3), folder);

        assertThat(verdicts(before, results("B", 7, 2, 3))).containsExactly(Verdict.SAME, Verdict.SAME);
        assertThat(verdicts(before, results("B", 7, 2.4, 3))).containsExactly(Verdict.REGRESSION, Verdict.SAME);
        assertThat(verdicts(before, results("B", 7, 2, 4))).containsExactly(Verdict.SAME, Verdict.REGRESSION);
    }

    private List<Verdict> verdicts(Results before, Results after) throws Exception {
        Comparison comparison = Comparison.of(before, Baseline.ratios(after, folder), Metric.CPU, 0.05);
        assertThat(comparison.changes()).extracting(Change::entrant).containsOnly("sink, 1 task");
        return comparison.changes().stream().map(Change::verdict).toList();
    }

    @Test
    void saysWhatRatiosNeed() {
        Results all = results("A", 1, 2, 3);

        assertThatThrownBy(() -> Baseline.ratios(without("no-op-sink", all), folder))
                .isInstanceOf(ToolException.class)
                .hasMessage(folder + " has no no-op-sink to compare the worker CPU with");
        assertThatThrownBy(() -> Baseline.ratios(without("raw-client", all), folder))
                .isInstanceOf(ToolException.class)
                .hasMessage(folder + " has no raw-client to compare the server CPU with (postgresql)");
    }

    private static Results without(String kind, Results all) {
        return new Results(
                all.format(),
                all.benchmark(),
                all.command(),
                all.started(),
                all.complete(),
                all.environment(),
                all.settings(),
                all.entrants().stream().filter(one -> !one.kind().equals(kind)).toList(),
                all.runs(),
                all.summary(),
                all.findings());
    }

    @Test
    void saysThatThereAreNone() throws Exception {
        Files.createDirectories(folder.resolve("empty"));

        assertThatThrownBy(() -> new Baseline(folder).read(results("A", 1, 1, 1)))
                .hasMessage("there are no results in " + folder);
    }
}
