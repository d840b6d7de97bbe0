package io.tidegate.connect.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.results.Summary;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HtmlReportTest {
    private static Results results(boolean complete, List<CandidateInfo> entrants, List<Run> runs) {
        return new Results(
                Results.FORMAT,
                "sink",
                "./bench sink --vary a=<b>",
                "2026-11-21T00:00:00Z",
                complete,
                Map.of("processors", "2"),
                Map.of("records", "10"),
                entrants,
                runs,
                Summary.of(entrants, runs),
                List.of("two < three"));
    }

    private static CandidateInfo entrant(String label, int tasks) {
        return new CandidateInfo(label + ", " + tasks + " tasks", "connector", "postgresql", tasks, Map.of("k", "v"));
    }

    private static Run run(CandidateInfo entrant, int round, double rate) {
        return new Run(
                entrant.label(),
                round,
                Run.OK,
                false,
                Map.of(Measure.STEADY_RATE.key(), rate, Measure.WORKER_CPU.key(), 3.0, Measure.SERVER_CPU.key(), 5.0),
                List.of(new Sample(0, 0, 0, 0, 0, 0, 40, 1, 0, 0), new Sample(1, 10, 1, 1, 1, 1, 50, 2, 0, 0)));
    }

    private static String page(Results results) {
        return new HtmlReport(results, new Charts(results).all()).page();
    }

    @BeforeEach
    void needFonts() {
        assumeThat(Chart.obstacle()).isEmpty();
    }

    @Test
    void needsNoNetwork() {
        CandidateInfo entrant = entrant("a", 1);
        String html = page(results(true, List.of(entrant), List.of(run(entrant, 1, 10))));

        assertThat(html).doesNotContain("<script", "<link", "src=\"http", "src=\"c", "url(", "@import", "href=");
    }

    @Test
    void saysWhatFollows() {
        CandidateInfo entrant = entrant("a", 1);
        String html = page(results(true, List.of(entrant), List.of(run(entrant, 1, 10))));

        assertThat(html).contains("<h2>Findings</h2>\n<ul>\n<li>two &lt; three</li>\n</ul>");
    }

    @Test
    void showsRatesCostsAndTheCommand() {
        List<CandidateInfo> entrants = List.of(entrant("a", 1), entrant("a", 2));
        List<Run> runs = List.of(run(entrants.get(0), 1, 1000), run(entrants.get(1), 1, 1900));
        String html = page(results(true, entrants, runs));

        assertThat(html)
                .contains("<h3>Steady rate</h3>", "<h3>Steady rate by tasks</h3>", "<h3>CPU per million records</h3>")
                .contains("<h3>Rate through the run</h3>", "<h3>Worker heap</h3>")
                .contains("1,900", "./bench sink --vary a&#x3D;&lt;b&gt;", "Ratios to a, 1 tasks");
        assertThat(html).doesNotContain("NaN", "Infinity", "null");
    }

    @Test
    void splitsATableThatIsTooWideForPaper() {
        CandidateInfo entrant = entrant("a", 1);
        Map<String, Double> everything =
                Arrays.stream(Measure.values()).collect(Collectors.toMap(Measure::key, measure -> 1.0));
        Run run = new Run(entrant.label(), 1, Run.OK, false, everything, List.of());

        assertThat(page(results(true, List.of(entrant), List.of(run))).lines().filter(line -> line.contains("<thead>")))
                .hasSizeGreaterThan(4)
                .allSatisfy(line -> assertThat(line.split("<th>", -1)).hasSizeLessThanOrEqualTo(1 + 1 + 8));
    }

    @Test
    void saysSoWhenThereIsNothingYet() {
        String html = page(results(false, List.of(), List.of()));

        assertThat(html).contains("did not finish", "No run has results yet.").doesNotContain("<img", "NaN");
    }

    @Test
    void tellsTheReasonOfAFailure() {
        CandidateInfo entrant = entrant("a", 1);
        Run failed = new Run(entrant.label(), 0, "no table <bench>", false, Map.of(), List.of());

        assertThat(page(results(true, List.of(entrant), List.of(failed))))
                .contains("</b> failed: no table &lt;bench&gt;");
    }

    @Test
    void staysReadableWithManyEntrants() {
        List<CandidateInfo> entrants = IntStream.rangeClosed(1, 60)
                .mapToObj(i -> entrant("variant " + i, i))
                .toList();
        List<Run> runs = entrants.stream()
                .flatMap(entrant -> Stream.of(run(entrant, 1, entrant.tasks() * 100.0), run(entrant, 2, 120)))
                .toList();

        assertThat(page(results(true, entrants, runs)))
                .contains("Only the first 6 of 60 lines are drawn.", "variant 60, 60 tasks");
    }
}
