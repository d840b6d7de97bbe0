package io.tidegate.connect.bench.plan;

import static io.tidegate.connect.bench.plan.PlanText.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What to run for a target, or why the data cannot say.
 *
 * @param numbers of tasks, partitions, workers and connections, as far as they are known
 * @param refusal why there are no numbers; empty when there are
 * @param remarks what else to know
 */
public record Advice(
        String group, Optional<UslFit> fit, Map<String, Integer> numbers, String refusal, List<String> remarks) {
    /** Mean error of a fit, and error of a left-out point, past which a curve is no basis for a plan. */
    private static final double WORST_MEAN = 0.15;

    private static final double WORST_LEFT_OUT = 0.35;

    /** How far beyond the most tasks measured a rising curve is believed. */
    private static final double FARTHEST = 1.25;

    public static Advice of(Group group, Target target) {
        return UslFit.of(group.rates())
                .map(fit -> of(group, fit, target))
                .orElseGet(() -> refused(
                        group,
                        Optional.empty(),
                        "a curve needs at least " + UslFit.FEWEST + " numbers of tasks; measured were "
                                + UslFit.distinct(group.rates())));
    }

    private static Advice of(Group group, UslFit fit, Target target) {
        String doubt = doubt(fit);
        Optional<Integer> tasks = tasks(fit, target.capacity());
        return doubt.isEmpty() && tasks.isPresent()
                ? accepted(group, fit, target, tasks.get())
                : refused(group, Optional.of(fit), doubt.isEmpty() ? outOfReach(fit, target) : doubt);
    }

    private static String doubt(UslFit fit) {
        if (fit.meanError() > WORST_MEAN) {
            return format("the curve misses the measured rates by %.0f %% on average", fit.meanError() * 100);
        }
        return fit.worstLeftOut() > WORST_LEFT_OUT
                ? format(
                        "without one of its points the curve misses that point by %.0f %%: measure more numbers of tasks",
                        fit.worstLeftOut() * 100)
                : "";
    }

    private static Advice refused(Group group, Optional<UslFit> fit, String reason) {
        return new Advice(group.name(), fit, Map.of(), reason, List.of());
    }

    /** The fewest tasks that reach the capacity, no farther than the data carries. */
    private static Optional<Integer> tasks(UslFit fit, double capacity) {
        int fewest = (int) Math.ceil(fit.fewestTasks());
        int most = (int) Math.min(fit.law().peak(), fit.mostTasks() * FARTHEST);
        return IntStream.rangeClosed(fewest, Math.max(fewest, most))
                .filter(tasks -> fit.law().rate(tasks) >= capacity)
                .boxed()
                .findFirst();
    }

    private static String outOfReach(UslFit fit, Target target) {
        double peak = Math.max(fit.law().peak(), fit.fewestTasks());
        return peak <= fit.mostTasks() * FARTHEST
                ? format(
                        "%,.0f records/s with the headroom are more than the %,.0f that %.0f tasks peak at; more tasks make"
                                + " it slower: use a larger server, larger batches, or less headroom",
                        target.capacity(), fit.law().rate(peak), peak)
                : format(
                        "%,.0f records/s with the headroom lie beyond what was measured (up to %.0f tasks): measure more"
                                + " tasks",
                        target.capacity(), fit.mostTasks());
    }

    private static Advice accepted(Group group, UslFit fit, Target target, int tasks) {
        List<String> remarks = new ArrayList<>();
        if (tasks > fit.mostTasks()) {
            remarks.add("more tasks than were measured: try it before you rely on it");
        }
        if (fit.law().peak() < fit.fewestTasks()) {
            remarks.add("the peak lies below the fewest tasks measured: fewer may do better");
        }
        int workers = 1;
        if (group.workerCpu().isPresent()) {
            double busy = target.cores(group.workerCpu().getAsDouble());
            workers = target.workers(busy);
            remarks.add(format("the workers' CPU: %.2f cores at the target", busy));
        }
        group.allCpu()
                .ifPresent(cpu -> remarks.add(
                        format("worker, broker and server together: %.2f cores at the target", target.cores(cpu))));
        int even = (tasks + workers - 1) / workers * workers; // as many tasks on each worker
        Map<String, Integer> numbers = new LinkedHashMap<>();
        numbers.put("tasks", even);
        numbers.put("partitions", even);
        if (group.workerCpu().isPresent()) {
            numbers.put("workers", workers);
        }
        group.connections().ifPresent(each -> numbers.put("connections", (int) Math.ceil(each * even)));
        return new Advice(group.name(), Optional.of(fit), numbers, "", List.copyOf(remarks));
    }
}
