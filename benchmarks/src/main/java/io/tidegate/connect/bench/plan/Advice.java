package io.tidegate.connect.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to run for a target, or why the data cannot say.
 *
 * @param refusal why there are no numbers; empty when there are
 * @param remarks what else to know
 */
public record Advice(
        String group,
        Optional<UslFit> fit,
        OptionalInt tasks,
        OptionalInt partitions,
        OptionalInt workers,
        OptionalInt connections,
        String refusal,
        List<String> remarks) {
    /** Mean error of a fit, and error of a left-out point, past which a curve is no basis for a plan. */
    private static final double WORST_MEAN = 0.15;

    private static final double WORST_LEFT_OUT = 0.35;

    /** How far beyond the most tasks measured a rising curve is believed. */
    private static final double FARTHEST = 1.25;

    public static Advice of(Group group, Target target) {
        Optional<UslFit> fit = UslFit.of(group.rates());
        if (fit.isEmpty()) {
            return refused(
                    group,
                    fit,
                    "a curve needs at least " + UslFit.FEWEST + " numbers of tasks; measured were "
                            + group.rates().stream()
                                    .map(Measured::tasks)
                                    .distinct()
                                    .count());
        }
        Optional<String> doubt = doubt(fit.get());
        if (doubt.isPresent()) {
            return refused(group, fit, doubt.get());
        }
        return tasks(fit.get(), target.capacity())
                .map(tasks -> numbers(group, fit.get(), target, tasks))
                .orElseGet(() -> refused(group, fit, outOfReach(fit.get(), target)));
    }

    private static Optional<String> doubt(UslFit fit) {
        if (fit.meanError() > WORST_MEAN) {
            return Optional.of(String.format(
                    Locale.ROOT, "the curve misses the measured rates by %.0f %% on average", fit.meanError() * 100));
        }
        if (fit.worstLeftOut() > WORST_LEFT_OUT) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "without one of its points the curve misses that point by %.0f %%: measure more numbers of tasks",
                    fit.worstLeftOut() * 100));
        }
        return Optional.empty();
    }

    /** The fewest tasks that reach the capacity, no farther than the data carries. */
    private static Optional<Integer> tasks(UslFit fit, double capacity) {
        int fewest = (int) Math.ceil(fit.fewestTasks());
        int most = (int) Math.floor(Math.min(fit.law().peak(), fit.mostTasks() * FARTHEST));
        for (int tasks = fewest; tasks <= Math.max(fewest, most); tasks++) {
            if (fit.law().rate(tasks) >= capacity) {
                return Optional.of(tasks);
            }
        }
        return Optional.empty();
    }

    private static String outOfReach(UslFit fit, Target target) {
        double peak = Math.max(fit.law().peak(), fit.fewestTasks());
        if (peak <= fit.mostTasks() * FARTHEST) {
            return String.format(
                    Locale.ROOT,
                    "%,.0f records/s with the headroom are more than the %,.0f that %.0f tasks peak at; more tasks make it"
                            + " slower: use a larger server, larger batches, or less headroom",
                    target.capacity(),
                    fit.law().rate(peak),
                    peak);
        }
        return String.format(
                Locale.ROOT,
                "%,.0f records/s with the headroom lie beyond what was measured (up to %.0f tasks): measure more tasks",
                target.capacity(),
                fit.mostTasks());
    }

    private static Advice numbers(Group group, UslFit fit, Target target, int tasks) {
        List<String> remarks = new ArrayList<>();
        if (tasks > fit.mostTasks()) {
            remarks.add("more tasks than were measured: try it before you rely on it");
        }
        if (fit.law().peak() < fit.fewestTasks()) {
            remarks.add("the peak lies below the fewest tasks measured: fewer may do better");
        }
        OptionalInt workers = OptionalInt.empty();
        if (group.workerCpu().isPresent()) {
            double busy = Groups.cores(group.workerCpu().getAsDouble(), target.rate());
            workers = OptionalInt.of(
                    (int) Math.max(1, Math.ceil(busy / (target.workerCores() * (1 - target.headroom())))));
            remarks.add(String.format(Locale.ROOT, "the workers' CPU: %.2f cores at the target", busy));
        }
        group.allCpu()
                .ifPresent(cpu -> remarks.add(String.format(
                        Locale.ROOT,
                        "worker, broker and server together: %.2f cores at the target",
                        Groups.cores(cpu, target.rate()))));
        int spread = multiple(tasks, workers.orElse(1));
        OptionalInt connections = group.connections().isPresent()
                ? OptionalInt.of((int) Math.ceil(group.connections().getAsDouble() * spread))
                : OptionalInt.empty();
        return new Advice(
                group.name(),
                Optional.of(fit),
                OptionalInt.of(spread),
                OptionalInt.of(spread),
                workers,
                connections,
                "",
                List.copyOf(remarks));
    }

    /** As many tasks on each worker. */
    private static int multiple(int tasks, int workers) {
        return (tasks + workers - 1) / workers * workers;
    }

    private static Advice refused(Group group, Optional<UslFit> fit, String reason) {
        return new Advice(
                group.name(),
                fit,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                reason,
                List.of());
    }
}
