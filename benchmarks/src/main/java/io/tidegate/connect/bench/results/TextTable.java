package io.tidegate.connect.bench.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The summary for a terminal: a line for each entrant, medians with their spread, and the ratios below. */
public final class TextTable {
    private TextTable() {}

    public static List<String> of(Summary summary) {
        List<String> lines = new ArrayList<>();
        lines.add(row("", "records/s, steady", "MB/s", "worker", "broker", "server", "conn", "rows/req"));
        lines.add(row("", "median (min-max)", "", "CPU s/million", "", "", "most", "mean"));
        for (Summary.Line line : summary.lines()) {
            lines.add(row(
                    line.entrant() + (line.noisyRuns() > 0 ? " *" : ""),
                    line.measure(Measure.STEADY_RATE).map(TextTable::rate).orElse("-"),
                    median(line, Measure.MEGABYTES, "%.1f"),
                    spread(line, Measure.WORKER_CPU),
                    spread(line, Measure.BROKER_CPU),
                    spread(line, Measure.SERVER_CPU),
                    median(line, Measure.CONNECTIONS, "%.0f"),
                    median(line, Measure.REQUEST_RECORDS, "%.0f")));
        }
        summary.lines().stream()
                .filter(line -> line.noisyRuns() > 0)
                .map(line -> "* " + line.entrant() + ": in " + line.noisyRuns()
                        + " of its runs other processes took more than a tenth of the CPU")
                .forEach(lines::add);
        lines.addAll(ratios(summary));
        return lines;
    }

    private static List<String> ratios(Summary summary) {
        List<String> lines = new ArrayList<>();
        for (Summary.Ratio ratio : summary.ratios()) {
            if (ratio.measure().equals(Measure.STEADY_RATE.key())) {
                Spread spread = ratio.ratio();
                lines.add(String.format(
                        Locale.ROOT,
                        "%s = %.2f (%.2f-%.2f) x the rate of %s, pair by pair",
                        ratio.entrant(),
                        spread.median(),
                        spread.min(),
                        spread.max(),
                        ratio.to()));
            }
        }
        return lines;
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-46s %22s %7s %14s %14s %14s %5s %9s", cells)
                .stripTrailing();
    }

    private static String rate(Spread spread) {
        return String.format(Locale.ROOT, "%,.0f (%,.0f-%,.0f)", spread.median(), spread.min(), spread.max());
    }

    private static String spread(Summary.Line line, Measure measure) {
        return line.measure(measure)
                .map(spread ->
                        String.format(Locale.ROOT, "%.1f (%.1f-%.1f)", spread.median(), spread.min(), spread.max()))
                .orElse("-");
    }

    private static String median(Summary.Line line, Measure measure, String format) {
        Optional<Spread> spread = line.measure(measure);
        return spread.map(found -> String.format(Locale.ROOT, format, found.median()))
                .orElse("-");
    }
}
