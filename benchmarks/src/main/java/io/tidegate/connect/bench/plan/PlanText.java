package io.tidegate.connect.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats an advice as text, for the terminal and the page. */
public final class PlanText {
    private PlanText() {}

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    public static List<String> of(Advice advice) {
        List<String> lines = new ArrayList<>();
        lines.add(advice.group().isEmpty() ? "all rates" : advice.group());
        advice.fit().ifPresent(fit -> lines.addAll(fitted(fit)));
        lines.add(
                advice.refusal().isEmpty()
                        ? advice.numbers().entrySet().stream()
                                .map(number -> number(number.getKey(), number.getValue()))
                                .collect(Collectors.joining(", ", "  run ", ""))
                        : "  no plan: " + advice.refusal());
        advice.remarks().forEach(remark -> lines.add("  " + remark));
        return lines;
    }

    private static String number(String of, int number) {
        return (of.equals("partitions") ? "at least " : "") + number + " "
                + (number == 1 ? of.substring(0, of.length() - 1) : of);
    }

    private static List<String> fitted(UslFit fit) {
        Usl law = fit.law();
        String curve =
                format("  lambda %,.0f records/s, sigma %.4f, kappa %.6f: ", law.lambda(), law.sigma(), law.kappa());
        String leftOut = IntStream.range(0, fit.data().size())
                .mapToObj(i -> format(
                        "%+.0f %% at %.0f",
                        fit.leftOut().get(i) * 100, fit.data().get(i).tasks()))
                .collect(Collectors.joining(", "));
        return List.of(
                curve + peak(fit),
                format("  mean error of the fit %.1f %%; of left-out points: ", fit.meanError() * 100) + leftOut);
    }

    private static String peak(UslFit fit) {
        double peak = fit.law().peak();
        if (Double.isInfinite(peak)) {
            return "no peak";
        }
        return peak < fit.fewestTasks()
                ? format("peak below %.0f tasks, the smallest measured number", fit.fewestTasks())
                : format("peak %,.0f records/s at %.0f tasks", fit.law().rate(peak), peak);
    }
}
