package io.tidegate.connect.bench.command;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say how often everything is measured, on which topic and workers. */
public final class RoundOptions {
    private static final int MOST_RUNS = 100;
    private static final int MOST_WARM_UPS = 10;
    private static final int MOST_PARTITIONS = 1000;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions of the topic; 4 by default, for connections 8, or as many as the most tasks.")
    private Optional<Integer> partitions = Optional.empty();

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each that count; 3 by default.")
    private int runs = 3;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            description = "Runs of each before, which do not count; 1 by default.")
    private int warmUps = 1;

    @Option(
            names = "--worker-heap",
            paramLabel = "SIZE",
            description = "The workers' heap as in -Xmx; 512m by default.")
    private String workerHeap = "512m";

    /** What is wrong with the options, if anything is. */
    public Optional<String> problem() {
        if (partitions.orElse(1) < 1 || partitions.orElse(1) > MOST_PARTITIONS) {
            return Optional.of("--partitions must be 1 to " + MOST_PARTITIONS);
        }
        if (runs < 1 || runs > MOST_RUNS) {
            return Optional.of("--runs must be 1 to " + MOST_RUNS);
        }
        return warmUps >= 0 && warmUps <= MOST_WARM_UPS
                ? Optional.empty()
                : Optional.of("--warm-ups must be 0 to " + MOST_WARM_UPS);
    }

    /**
     * What to drain.
     *
     * @param leastPartitions of the topic, unless the user says how many; never fewer than tasks
     */
    public DrainPlan plan(
            Path root,
            List<ConnectorSpec> specs,
            List<Integer> tasks,
            int leastPartitions,
            InputOptions input,
            boolean resume)
            throws ToolException {
        return new DrainPlan(
                specs,
                List.copyOf(tasks),
                partitions.orElse(Math.max(leastPartitions, Collections.max(tasks))),
                input.limit(),
                input.source(root),
                input.description(),
                warmUps,
                runs,
                workerHeap,
                resume);
    }
}
