package io.tidegate.connect.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** An advice in words, for a terminal and for the page. */
public final class PlanText {
    private PlanText() {}

    public static List<String> of(Advice advice) {
        List<String> lines = new ArrayList<>();
        lines.add(advice.group().isEmpty() ? "all rates" : advice.group());
        advice.fit().ifPresent(fit -> lines.addAll(fitted(fit)));
        if (advice.refusal().isEmpty()) {
            lines.add("  run " + number(advice.tasks(), "tasks") + ", at least "
                    + number(advice.partitions(), "partitions")
                    + (advice.workers().isPresent() ? ", " + number(advice.workers(), "workers") : "")
                    + (advice.connections().isPresent() ? ", " + number(advice.connections(), "connections") : ""));
        } else {
            lines.add("  no plan: " + advice.refusal());
        }
        advice.remarks().forEach(remark -> lines.add("  " + remark));
        return lines;
    }

    private static List<String> fitted(UslFit fit) {
        Usl law = fit.law();
        String peak = law.peak() == Double.POSITIVE_INFINITY
                ? "no peak"
                : law.peak() < fit.fewestTasks()
                        ? String.format(Locale.ROOT, "peak below %.0f tasks, the fewest measured", fit.fewestTasks())
                        : String.format(
                                Locale.ROOT, "peak %,.0f records/s at %.0f tasks", law.rate(law.peak()), law.peak());
        return List.of(
                String.format(
                        Locale.ROOT,
                        "  lambda %,.0f records/s, sigma %.4f, kappa %.6f: %s",
                        law.lambda(),
                        law.sigma(),
                        law.kappa(),
                        peak),
                String.format(
                        Locale.ROOT,
                        "  error of the fit %.1f %% on average; of points left out %s",
                        fit.meanError() * 100,
                        leftOut(fit)));
    }

    private static String leftOut(UslFit fit) {
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < fit.leftOut().size(); i++) {
            errors.add(String.format(
                    Locale.ROOT,
                    "%+.0f %% at %.0f",
                    fit.leftOut().get(i) * 100,
                    fit.data().get(i).tasks()));
        }
        return String.join(", ", errors);
    }

    private static String number(OptionalInt count, String of) {
        int number = count.orElse(0);
        return number + " " + (number == 1 ? of.substring(0, of.length() - 1) : of);
    }
}
