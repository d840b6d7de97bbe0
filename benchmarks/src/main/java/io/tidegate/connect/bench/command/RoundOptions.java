package io.tidegate.connect.bench.command;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the number of runs, the topic's partitions and the workers' heap. */
public final class RoundOptions {
    private static final int MAX_RUNS = 100;
    private static final int MAX_WARM_UPS = 10;
    private static final int MAX_WORKERS = 8;
    private static final int PARTITIONS = 4;
    private static final int MAX_PARTITIONS = 1000;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions of the topic; by default 4, but at least one for each task.")
    private Optional<Integer> partitions = Optional.empty();

    @Option(names = "--runs", paramLabel = "N", description = "Measured runs of each candidate; 3 by default.")
    private int runs = 3;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            description = "Warm-up runs of each candidate, which do not count; 1 by default.")
    private int warmUps = 1;

    @Option(
            names = "--worker-heap",
            paramLabel = "SIZE",
            description = "The heap of each worker, as in -Xmx; 512m by default.")
    private String workerHeap = "512m";

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Workers of each cluster, between which Connect distributes the tasks; 1 by default.")
    private int workers = 1;

    /** The problem with the options, if there is one. */
    public Optional<String> problem() {
        if (partitions.orElse(1) < 1 || partitions.orElse(1) > MAX_PARTITIONS) {
            return Optional.of("--partitions must be 1 to " + MAX_PARTITIONS);
        }
        if (workers < 1 || workers > MAX_WORKERS) {
            return Optional.of("--workers must be 1 to " + MAX_WORKERS);
        }
        if (runs < 1 || runs > MAX_RUNS) {
            return Optional.of("--runs must be 1 to " + MAX_RUNS);
        }
        return warmUps >= 0 && warmUps <= MAX_WARM_UPS
                ? Optional.empty()
                : Optional.of("--warm-ups must be 0 to " + MAX_WARM_UPS);
    }

    /** Makes the plan of a measurement. */
    public DrainPlan plan(Path root, List<ConnectorSpec> specs, List<Integer> tasks, InputOptions input, boolean resume)
            throws ToolException {
        return new DrainPlan(
                specs,
                List.copyOf(tasks),
                partitions.orElse(Math.max(PARTITIONS, Collections.max(tasks))),
                input.limit(),
                input.source(root),
                input.description(),
                warmUps,
                runs,
                workerHeap,
                workers,
                resume);
    }
}
