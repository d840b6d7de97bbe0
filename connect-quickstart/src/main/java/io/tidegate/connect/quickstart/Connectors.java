package io.tidegate.connect.quickstart;

import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectRest.ConnectorInfo;
import io.tidegate.connect.testkit.kafka.ConnectRest.ConnectorStatus;
import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates and checks connectors through the worker's REST interface, as a user would. */
final class Connectors {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String TASKS_MAX = "tasks.max";
    private static final int TRACE_LINES = 12;

    private final ConnectRest rest;

    Connectors(ConnectRest rest) {
        this.rest = rest;
    }

    /** Posts the file unchanged. A number of tasks that the user gave is set afterwards. */
    void create(String json, OptionalInt tasks) {
        ConnectorInfo created = rest.create(json);
        Map<String, String> config = new HashMap<>(created.config());
        if (tasks.isPresent()) {
            config.put(TASKS_MAX, Integer.toString(tasks.getAsInt()));
            rest.putConfig(created.name(), config);
        }
        rest.awaitRunning(created.name(), Integer.parseInt(config.get(TASKS_MAX)), START);
    }

    /** A message for the user if the connector or a task does not run; empty if everything runs. */
    Optional<String> problem(Sink sink) {
        return problem(sink.connector());
    }

    /** The same for a connector that is no sink. */
    Optional<String> problem(String connector) {
        ConnectorStatus status = rest.status(connector);
        return status.failure().isEmpty() ? Optional.empty() : Optional.of(describe(status));
    }

    String describe(String connector) {
        return describe(rest.status(connector));
    }

    static String describe(ConnectorStatus status) {
        String tasks = status.tasks().stream()
                .map(task -> "task " + task.id() + " " + task.state())
                .collect(Collectors.joining(", "));
        String summary =
                "connector " + status.name() + " " + status.state() + ", " + (tasks.isEmpty() ? "no task" : tasks);
        return Stream.concat(Stream.of(summary), trace(status).stream()).collect(Collectors.joining("\n"));
    }

    private static List<String> trace(ConnectorStatus status) {
        return Stream.concat(
                        status.trace().stream(),
                        status.tasks().stream().map(TaskStatus::trace).flatMap(Optional::stream))
                .findFirst()
                .map(trace -> trace.lines()
                        .limit(TRACE_LINES)
                        .map(line -> "  " + line.strip())
                        .toList())
                .orElse(List.of());
    }
}
