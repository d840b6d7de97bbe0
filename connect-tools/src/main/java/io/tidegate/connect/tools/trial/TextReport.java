package io.tidegate.connect.tools.trial;

import io.tidegate.connect.tools.output.Json;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A result for people: a summary, then samples or all records. */
final class TextReport {
    private static final int SAMPLES = 3;
    private static final int MOST_CHARACTERS = 500;

    private TextReport() {}

    /**
     * Writes a report and flushes.
     *
     * @param isAll whether every record is shown, and not only a few of each outcome
     */
    static void write(PrintWriter out, TrialResult result, boolean isAll, boolean isTolerant) {
        out.printf(
                "%s: %d records, tried on %s%n%n",
                result.connector(), result.records().size(), result.target());
        summary(out, result);
        if (!isTolerant && result.counts().containsKey(Outcome.REFUSED)) {
            out.printf("%nThe task stops at the first refused record, because errors.tolerance is none.%n");
        }
        result.taskFailure().ifPresent(failure -> out.printf("%nThe task fails: %s%n", failure));
        for (String note : result.notes()) {
            out.printf("%n%s%n", note);
        }
        records(out, result, isAll);
        out.flush();
    }

    private static void summary(PrintWriter out, TrialResult result) {
        Map<Outcome, Long> counts = result.counts();
        for (Outcome outcome : Outcome.values()) {
            if (counts.containsKey(outcome)) {
                out.printf("%8d %s%n", counts.get(outcome), outcome.text());
            }
            if (outcome == Outcome.WRITTEN) {
                result.destinations().forEach((destination, count) -> out.printf("%16d into %s%n", count, destination));
            }
        }
        for (List<Tried> group : result.problems()) {
            out.printf("%n%8d x %s%n", group.size(), group.get(0).group());
            group.get(0).reason().ifPresent(reason -> out.printf("           %s%n", reason));
        }
    }

    private static void records(PrintWriter out, TrialResult result, boolean isAll) {
        Set<String> statements = new HashSet<>();
        for (Outcome outcome : Outcome.values()) {
            List<Tried> of = result.records().stream()
                    .filter(each -> each.outcome() == outcome)
                    .toList();
            List<Tried> shown = isAll ? of : of.subList(0, Math.min(SAMPLES, of.size()));
            if (!shown.isEmpty()) {
                out.printf("%n--- %s%s%n", outcome.text(), shown.size() < of.size() ? ", the first " + SAMPLES : "");
                shown.forEach(each -> record(out, each, statements));
            }
        }
    }

    private static void record(PrintWriter out, Tried record, Set<String> statements) {
        out.println(record.place());
        record.sketch().forEach((name, value) -> {
            if (value instanceof Map<?, ?> columns) {
                columns.forEach((column, text) -> out.printf("  %s = %s%n", column, shortened(text)));
            } else if (!name.equals("statement") || statements.add(value.toString())) {
                out.printf("  %s: %s%n", name, name.equals("statement") ? value : shortened(value));
            }
        });
        if (!record.sketch().containsKey("source")) {
            record.document().ifPresent(json -> out.printf("  document: %s%n", shortened(json)));
        }
        record.reason().ifPresent(reason -> out.printf("  reason: %s%n", reason));
        if (!record.facts().isEmpty()) {
            out.printf("  facts: %s%n", Json.line(record.facts()));
        }
    }

    private static String shortened(Object value) {
        String text = value.toString();
        return text.length() <= MOST_CHARACTERS
                ? text
                : text.substring(0, MOST_CHARACTERS) + "... (" + text.length() + " characters; --json shows all)";
    }
}
