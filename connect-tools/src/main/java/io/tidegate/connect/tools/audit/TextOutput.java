package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
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
        finding.differences().forEach(difference -> out.println("           " + difference));
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
        count("%,d records were refused, so nothing is expected for them", findings.refused());
        count("%,d records are skipped by the transforms or the sink", dropped);
        count("%,d differences were explained by records that the sink is writing now", findings.inFlight());
        count("%,d newer records were not compared: the connector has not committed them", scope.lag());
        findings.unknown().forEach((reason, number) -> count("Not compared: %,d " + escaped(reason), number));
        findings.notes().forEach(note -> out.println("Note: " + note));
        out.flush();
    }

    private static String escaped(String text) {
        return text.replace("%", "%%");
    }

    private void count(String sentence, long number) {
        if (number > 0) {
            out.println(String.format(Locale.ROOT, sentence, number));
        }
    }

    private static String verdict(Findings findings) {
        if (findings.total() == 0) {
            return findings.status() == 0 ? "no differences" : "no differences, but not everything was compared";
        }
        return Arrays.stream(Finding.Kind.values())
                .filter(kind -> findings.count(kind) > 0)
                .map(kind -> String.format(Locale.ROOT, "%,d %s", findings.count(kind), kind.word()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void plan(RepairPlan plan) {
        out.println();
        out.println(String.format(Locale.ROOT, "Plan: %,d changes", plan.size()));
        List<Finding> changes = plan.changes();
        int lines = isAll ? changes.size() : Math.min(LIMIT, changes.size());
        changes.subList(0, lines)
                .forEach(each -> out.println("  " + each.remedy().action().word() + "  " + each.place() + "  "
                        + (each.key().isEmpty() ? "" : "key " + each.key() + "  ") + each.destination() + "  "
                        + each.detail()));
        count("  ... and %,d more (--all prints them)", plan.size() - lines);
        plan.left().forEach((reason, number) -> count("Left alone: %,d: " + escaped(reason), number));
        out.flush();
    }

    @Override
    public void repaired(Repair repair) {
        out.println(String.format(Locale.ROOT, "%,d repaired", repair.repaired()));
        repair.left().forEach((reason, number) -> count("Not repaired: %,d: " + escaped(reason), number));
        out.flush();
    }

    private static String counted(Map<Finding.Kind, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT, "%,d %s", entry.getValue(), entry.getKey().word()))
                .collect(Collectors.joining(", "));
    }
}
