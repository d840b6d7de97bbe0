package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectRest.ConnectorStatus;
import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import io.tidegate.connect.testkit.net.RestException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A connector on a worker or a cluster. Used by the main thread only. */
public record DeployedConnector(ConnectRest rest, String name) {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration GONE = Duration.ofSeconds(30);
    private static final long INTERVAL_MILLIS = 200;
    private static final int ERROR_LINES = 4;
    private static final int GONE_ALREADY = 404;

    public void create(Map<String, String> config) {
        rest.putConfig(name, config);
    }

    public void awaitRunning(int tasks) {
        rest.awaitRunning(name, tasks, START);
    }

    /** A message if the connector or a task does not run; empty if everything runs. */
    public Optional<String> problem() {
        return rest.statusIfKnown(name).flatMap(ConnectorStatus::failure).map(DeployedConnector::reason);
    }

    /** The lines of a stack trace that name the exceptions. */
    static String reason(String trace) {
        return trace.lines()
                .filter(line -> !line.matches("\\s+(at |\\.\\.\\. ).*"))
                .map(String::strip)
                .limit(ERROR_LINES)
                .collect(Collectors.joining("\n  "));
    }

    /** The number of tasks on each worker that has tasks, by the worker's address. */
    public Map<String, Long> tasksByWorker() {
        return rest.status(name).tasks().stream()
                .map(TaskStatus::worker)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** Deletes the connector if it exists. Returns when its connections are closed, or after half a minute. */
    public void remove(StoreProbe probe) throws ToolException, InterruptedException {
        if (!rest.list().contains(name)) {
            return;
        }
        try {
            rest.delete(name);
        } catch (RestException e) {
            if (e.status() != GONE_ALREADY) {
                throw e;
            }
        }
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + GONE.toNanos();
        while ((rest.list().contains(name) || probe.connections() > 0) && System.nanoTime() < end) {
            never.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
