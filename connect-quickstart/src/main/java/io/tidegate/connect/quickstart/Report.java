package io.tidegate.connect.quickstart;

import com.sun.management.OperatingSystemMXBean;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.View;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines that the user reads at the end. */
final class Report {
    /** Below this number of records, most of the CPU time goes to JIT compilation. */
    private static final long WARM = 200_000;

    /** Above this share of the CPU time of all cores, the CPU is what limits a run. */
    private static final double BUSY = 0.8;

    /** As in the benchmarks, a smaller share of other programs is not worth a word. */
    private static final double NOISY = 0.1;

    private static final int COLUMNS = 80;

    private final View view;

    Report(View view) {
        this.view = view;
    }

    void verdict(List<Result> results) {
        view.say("");
        results.forEach(result -> view.say(result.verdict()));
    }

    void examples(List<TideStore> stores) throws ToolException, InterruptedException {
        for (TideStore store : stores) {
            TideStore.Example example = store.highestTides();
            view.say("");
            view.say("The highest tides in " + store.sink() + ":");
            example.query().lines().forEach(line -> view.say("  " + line));
            view.say("");
            example.answer().forEach(row -> view.say("    " + row));
            if (example.answer().isEmpty()) {
                view.say("    (no record has a level)");
            }
        }
    }

    void cost(Map<String, Duration> before, Map<String, Duration> after, long records) {
        wrapped("CPU seconds per million records"
                + (records < WARM ? " (in a short run mostly the warm-up of the JVMs): " : ": ")
                + after.entrySet().stream()
                        .map(entry -> entry.getKey() + " "
                                + perMillion(entry.getValue().minus(before.get(entry.getKey())), records))
                        .collect(Collectors.joining(", ")));
    }

    static String perMillion(Duration cpu, long records) {
        return text("%.1f", cpu.toMillis() * 1000.0 / records);
    }

    void steadyRates(List<Result> results) {
        view.say("");
        wrapped("Steady rate, from 20 % to 90 % of the records: "
                + results.stream()
                        .map(result -> result.sink() + " "
                                + (result.steadyRate().isPresent()
                                        ? text(
                                                "%,d records/s",
                                                result.steadyRate().getAsLong())
                                        : "unknown from so few samples"))
                        .collect(Collectors.joining(", ")));
    }

    void limits(Map<String, Duration> before, Map<String, Duration> after, List<Result> results) {
        Duration cpu = sum(after).minus(sum(before));
        Duration elapsed =
                results.stream().map(Result::elapsed).max(Duration::compareTo).orElseThrow();
        int cores = Runtime.getRuntime().availableProcessors();
        wrapped(limit(cpu, elapsed, cores, machineLoad(), results.get(0).produced()));
    }

    private static Duration sum(Map<String, Duration> times) {
        return times.values().stream().reduce(Duration.ZERO, Duration::plus);
    }

    /** The share of its CPU time that the machine has used since the last call; negative if unknown. */
    static double machineLoad() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getCpuLoad();
    }

    /**
     * Says what limits a run.
     *
     * @param cpu the time of all servers and this program while the records were stored
     * @param machine the share that all programs used
     */
    static String limit(Duration cpu, Duration elapsed, int cores, double machine, long records) {
        double own = Math.min(1, (double) cpu.toNanos() / elapsed.toNanos() / cores);
        double others = Math.max(0, machine - own);
        return text(
                "What limits it: %s The servers and this program share %d cores and used %.0f %% of them%s%s.",
                own + others >= BUSY ? "the CPU." : "not the CPU alone.",
                cores,
                100 * own,
                others >= NOISY ? text(", other programs %.0f %%", 100 * others) : "",
                records < WARM ? ", and all JVMs were cold: try --records 1000000, or one of --sinks" : "");
    }

    /** Says a long text in lines of 80 columns. */
    private void wrapped(String text) {
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                view.say(line.toString());
                line.setLength(0);
                line.append(' ');
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        view.say(line.toString());
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    void next(Plan plan) {
        view.say("");
        wrapped("docker/connectors/ has the connectors' configurations. docs/tutorial/ adds a connector of your own"
                + (plan.exit() ? "; without --exit the servers keep running." : " to these servers."));
        view.say("");
    }

    void results(List<Result> results) {
        results.forEach(result -> view.say(result.line()));
    }

    void addresses(Servers servers) {
        view.say("");
        view.say("The servers run until Ctrl-C:");
        servers.stores().forEach(store -> view.sayInPrivate("  " + store.address()));
        view.say("  curl '" + servers.worker().restUri() + "/connectors?expand=status'");
        view.say("  Kafka " + servers.broker().bootstrapServers() + ", topic " + Plan.TOPIC);
    }
}
