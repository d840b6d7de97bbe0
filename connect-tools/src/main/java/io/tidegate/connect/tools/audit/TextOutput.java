package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The result for a person. */
final class TextOutput implements AuditOutput {
    private static final int LIMIT = 20;

    private final PrintWriter out;
    private final boolean isAll;
    private long shown;

    TextOutput(PrintWriter out, boolean isAll) {
        this.out = requireNonNull(out, "out");
        this.isAll = isAll;
    }

    @Override
    public void begin(String connector, String store, Scope scope) {
        out.println("Comparing " + connector + " with " + store);
        scope.sorted()
                .forEach((partition, stretch) -> out.println(String.format(
                        Locale.ROOT,
                        "  %s: offsets %,d to %,d%s",
                        partition,
                        stretch.from(),
                        stretch.to(),
                        stretch.lag() == 0
                                ? ""
                                : String.format(Locale.ROOT, ", lag %,d (not compared)", stretch.lag()))));
        out.println();
        out.flush();
    }

    @Override
    public void finding(Finding finding) {
        shown++;
        if (!isAll && shown > LIMIT) {
            return;
        }
        String place = finding.place().isEmpty() ? "" : finding.place() + "  ";
        String key = finding.key().isEmpty() ? "" : "key " + finding.key() + "  ";
        out.println(String.format("%-9s  ", finding.kind().word()) + place + key + finding.destination() + "  "
                + finding.detail());
        out.flush();
    }

    @Override
    public void end(Scope scope, Findings findings, long dropped) {
        if (!isAll && shown > LIMIT) {
            out.println(String.format(Locale.ROOT, "... and %,d more (--all prints them)", shown - LIMIT));
        }
        if (shown > 0) {
            out.println();
        }
        findings.byPlace().forEach((place, counts) -> out.println("  " + place + ": " + counted(counts)));
        out.println(String.format(Locale.ROOT, "%,d records compared: %s", findings.compared(), verdict(findings)));
        say("%,d records were refused, so nothing is expected for them", findings.refused());
        say("%,d records are skipped by the transforms or the sink", dropped);
        say("%,d differences were explained by records that the sink is writing now", findings.inFlight());
        say("%,d newer records were not compared: the connector has not committed them", scope.lag());
        findings.unknown().forEach((reason, count) -> say("Cannot know: %,d " + reason.replace("%", "%%"), count));
        findings.notes().forEach(note -> out.println("Note: " + note));
        out.flush();
    }

    private void say(String sentence, long count) {
        if (count > 0) {
            out.println(String.format(Locale.ROOT, sentence, count));
        }
    }

    private static String verdict(Findings findings) {
        if (findings.total() == 0) {
            return "no differences";
        }
        String counts = Arrays.stream(Finding.Kind.values())
                .filter(kind -> findings.count(kind) > 0)
                .map(kind -> String.format(Locale.ROOT, "%,d %s", findings.count(kind), kind.word()))
                .collect(Collectors.joining(", "));
        return findings.repaired() == 0
                ? counts
                : counts + String.format(Locale.ROOT, "; %,d repaired", findings.repaired());
    }

    private static String counted(Map<Finding.Kind, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT, "%,d %s", entry.getValue(), entry.getKey().word()))
                .collect(Collectors.joining(", "));
    }
}
