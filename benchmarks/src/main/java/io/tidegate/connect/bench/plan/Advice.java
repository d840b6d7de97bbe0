package io.tidegate.connect.bench.plan;

import static io.tidegate.connect.bench.plan.PlanText.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sizes that reach a target, or the reason why the data does not show them.
 *
 * @param numbers the numbers of tasks, partitions, workers and connections that are known
 * @param refusal the reason why there are no numbers; empty if there are
 * @param remarks further hints for the user
 */
public record Advice(
        String group, Optional<UslFit> fit, Map<String, Integer> numbers, String refusal, List<String> remarks) {
    /** The largest mean error of a fit, and the largest error of a left-out point, that allow a plan. */
    private static final double MAX_MEAN_ERROR = 0.15;

    private static final double MAX_LEFT_OUT_ERROR = 0.35;

    /** A curve is trusted up to the largest measured number of tasks times this factor. */
    private static final double MAX_EXTRAPOLATION = 1.25;

    public static Advice of(Group group, Target target) {
        return UslFit.of(group.rates())
                .map(fit -> of(group, fit, target))
                .orElseGet(() -> refused(
                        group,
                        Optional.empty(),
                        "a curve needs at least " + UslFit.MIN_TASK_COUNTS + " different numbers of tasks; measured: "
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
        if (fit.meanError() > MAX_MEAN_ERROR) {
            return format("the curve differs from the measured rates by %.0f %% on average", fit.meanError() * 100);
        }
        return fit.worstLeftOut() > MAX_LEFT_OUT_ERROR
                ? format(
                        "fitted without one point, the curve misses that point by %.0f %%: measure more numbers of"
                                + " tasks",
                        fit.worstLeftOut() * 100)
                : "";
    }

    private static Advice refused(Group group, Optional<UslFit> fit, String reason) {
        return new Advice(group.name(), fit, Map.of(), reason, List.of());
    }

    /** The smallest number of tasks that reaches the capacity, within the trusted part of the curve. */
    private static Optional<Integer> tasks(UslFit fit, double capacity) {
        int fewest = (int) Math.ceil(fit.fewestTasks());
        int most = (int) Math.min(fit.law().peak(), fit.mostTasks() * MAX_EXTRAPOLATION);
        return IntStream.rangeClosed(fewest, Math.max(fewest, most))
                .filter(tasks -> fit.law().rate(tasks) >= capacity)
                .boxed()
                .findFirst();
    }

    private static String outOfReach(UslFit fit, Target target) {
        double peak = Math.max(fit.law().peak(), fit.fewestTasks());
        return peak <= fit.mostTasks() * MAX_EXTRAPOLATION
                ? format(
                        "%,.0f records/s, headroom included, are more than the peak of %,.0f with %.0f tasks; more"
                                + " tasks are slower: use a larger server, larger batches, or less headroom",
                        target.capacity(), fit.law().rate(peak), peak)
                : format(
                        "%,.0f records/s, headroom included, are beyond the measured range (up to %.0f tasks): measure"
                                + " more",
                        target.capacity(), fit.mostTasks());
    }

    private static Advice accepted(Group group, UslFit fit, Target target, int tasks) {
        List<String> remarks = new ArrayList<>();
        if (tasks > fit.mostTasks()) {
            remarks.add("more tasks than were measured: test this before you rely on it");
        }
        if (fit.law().peak() < fit.fewestTasks()) {
            remarks.add("the peak is below the smallest measured number of tasks: fewer tasks may be faster");
        }
        int workers = 1;
        if (group.workerCpu().isPresent()) {
            double busy = target.cores(group.workerCpu().getAsDouble());
            workers = target.workers(busy);
            remarks.add(format("the workers use %.2f CPU cores at the target", busy));
        }
        group.allCpu()
                .ifPresent(cpu -> remarks.add(
                        format("workers, broker and server use %.2f CPU cores at the target", target.cores(cpu))));
        int even = (tasks + workers - 1) / workers * workers; // the same number of tasks on each worker
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
