package io.tidegate.connect.bench.results;

import java.util.ArrayList;
import java.util.List;

/** Formats the summary for a terminal: a line for each entrant with its medians, then the ratios. */
public final class TextTable {
    private TextTable() {}

    public static List<String> of(Summary summary) {
        List<String> lines = new ArrayList<>();
        lines.add(row("", "records/s, steady", "MB/s", "worker", "broker", "server", "conn", "rows/req", "bytes/row"));
        lines.add(row("", "median (min-max)", "", "CPU s/million", "", "", "most", "mean", "stored"));
        for (Summary.Line line : summary.lines()) {
            lines.add(row(
                    line.title(),
                    cell(line, Measure.STEADY_RATE, "%,.0f (%,.0f-%,.0f)"),
                    cell(line, Measure.MEGABYTES, "%.1f"),
                    cell(line, Measure.WORKER_CPU, "%.1f (%.1f-%.1f)"),
                    cell(line, Measure.BROKER_CPU, "%.1f (%.1f-%.1f)"),
                    cell(line, Measure.SERVER_CPU, "%.1f (%.1f-%.1f)"),
                    cell(line, Measure.CONNECTIONS, "%.0f"),
                    cell(line, Measure.REQUEST_RECORDS, "%.0f"),
                    cell(line, Measure.STORED_BYTES, "%.0f")));
        }
        summary.lines().stream()
                .filter(line -> line.noisyRuns() > 0)
                .map(line -> "* " + line.entrant() + ": in " + line.noisyRuns()
                        + " of its runs other processes used more than a tenth of the CPU")
                .forEach(lines::add);
        summary.ratios().stream()
                .filter(ratio -> ratio.measure().equals(Measure.STEADY_RATE.key()))
                .map(ratio -> ratio.entrant() + ratio.ratio().format(" = %.2f (%.2f-%.2f) x the rate of ") + ratio.to()
                        + ", compared round by round")
                .forEach(lines::add);
        return lines;
    }

    private static String row(Object... cells) {
        return Figures.format("%-46s %22s %7s %14s %14s %14s %5s %9s %9s", cells)
                .stripTrailing();
    }

    private static String cell(Summary.Line line, Measure measure, String format) {
        return line.measure(measure).map(spread -> spread.format(format)).orElse("-");
    }
}
