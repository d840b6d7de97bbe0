package io.tidegate.connect.testkit.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.net.RestException;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/**
 * The REST interface of a Connect worker. A request is repeated for up to a minute while the worker does not listen or
 * the workers rebalance (409), a configuration also while its validation finds that a server does not answer in time. All
 * methods throw {@link RestException} if the worker responds with another error, and
 * {@link ServerException} if it does not respond. Thread-safe.
 */
public final class ConnectRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;

    private final RestClient client;

    /** @param root such as {@code http://127.0.0.1:8083} */
    public ConnectRest(URI root) {
        client = new RestClient(Objects.requireNonNull(root, "root"));
    }

    /** A class that the worker found; {@code type} is source, sink, converter, transformation and so on. */
    public record Plugin(String className, String type, Optional<String> version) {}

    /** A connector's configuration and the ids of its tasks. */
    public record ConnectorInfo(String name, Map<String, String> config, List<Integer> tasks) {}

    /** A setting, its value and the results of {@code validate}. */
    public record CheckedSetting(
            String name, Optional<String> value, List<String> errors, List<String> recommendedValues) {}

    /** The results of {@code validate} for a configuration. */
    public record Validation(int errorCount, List<CheckedSetting> settings) {
        /** All error messages, each with its key in front. Empty if the configuration is valid. */
        public List<String> errors() {
            return settings.stream()
                    .flatMap(setting -> setting.errors().stream().map(error -> setting.name() + ": " + error))
                    .toList();
        }
    }

    /** {@code state} is RUNNING, FAILED, PAUSED, STOPPED, UNASSIGNED or RESTARTING; {@code worker} is host:port. */
    public record TaskStatus(int id, String state, String worker, Optional<String> trace) {}

    /** The state of a connector and of each of its tasks. */
    public record ConnectorStatus(
            String name, String state, String worker, Optional<String> trace, List<TaskStatus> tasks) {
        /** Whether the connector is running with exactly this number of running tasks. */
        public boolean isRunning(int expectedTasks) {
            return state.equals("RUNNING")
                    && tasks.size() == expectedTasks
                    && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
        }

        /** The trace of the connector or of the first failed task; empty if none has failed. */
        public Optional<String> failure() {
            if (state.equals("FAILED")) {
                return Optional.of("connector: " + trace.orElse("(no trace)"));
            }
            return tasks.stream()
                    .filter(task -> task.state().equals("FAILED"))
                    .findFirst()
                    .map(task -> "task " + task.id() + ": " + task.trace().orElse("(no trace)"));
        }
    }

    /** All plugins, including converters and transforms. */
    public List<Plugin> plugins() {
        return each(
                client.get("/connector-plugins?connectorsOnly=false"),
                node -> new Plugin(
                        node.path("class").asText(), node.path("type").asText(), text(node.path("version"))));
    }

    /** Validates a configuration, after adding {@code connector.class} to it. */
    public Validation validate(String connectorClass, Map<String, String> config) {
        Map<String, String> full = new LinkedHashMap<>(config);
        full.put("connector.class", connectorClass);
        JsonNode answer = client.send(
                "PUT",
                "/connector-plugins/" + encode(connectorClass) + "/config/validate",
                Optional.of(JSON.valueToTree(full).toString()));
        List<CheckedSetting> settings = each(answer.path("configs"), entry -> {
            JsonNode value = entry.path("value");
            return new CheckedSetting(
                    value.path("name").asText(),
                    text(value.path("value")),
                    each(value.path("errors"), JsonNode::asText),
                    each(value.path("recommended_values"), JsonNode::asText));
        });
        return new Validation(answer.path("error_count").asInt(), settings);
    }

    /**
     * Creates a connector from the JSON of a request: {@code {"name": .., "config": {..}}}.
     *
     * @throws RestException with status 409 if a connector with that name exists
     */
    public ConnectorInfo create(String json) {
        JsonNode connector = RestClient.parse(json);
        String name = connector.path("name").asText();
        return info(client.create("/connectors", connector(name), json));
    }

    /** Creates a connector or replaces its configuration. */
    public ConnectorInfo putConfig(String name, Map<String, String> config) {
        String body = JSON.valueToTree(config).toString();
        return info(client.sendConfig(connector(name) + "/config", body));
    }

    public ConnectorInfo get(String name) {
        return info(client.get(connector(name)));
    }

    public List<String> list() {
        return each(client.get("/connectors"), JsonNode::asText);
    }

    public ConnectorStatus status(String name) {
        JsonNode answer = client.get(connector(name) + "/status");
        JsonNode own = answer.path("connector");
        List<TaskStatus> tasks = each(
                answer.path("tasks"),
                task -> new TaskStatus(
                        task.path("id").asInt(),
                        task.path("state").asText(),
                        task.path("worker_id").asText(),
                        text(task.path("trace"))));
        return new ConnectorStatus(
                name, own.path("state").asText(), own.path("worker_id").asText(), text(own.path("trace")), tasks);
    }

    /**
     * Waits until the connector and exactly this number of tasks are RUNNING.
     *
     * @throws ServerException with the trace, as soon as the connector or a task has FAILED; with the latest status,
     *     when the time is over
     */
    public ConnectorStatus awaitRunning(String name, int tasks, Duration atMost) {
        AtomicReference<Optional<ConnectorStatus>> latest = new AtomicReference<>(Optional.empty());
        boolean running = Poll.until(
                () -> {
                    latest.set(statusIfKnown(name));
                    latest.get().flatMap(ConnectorStatus::failure).ifPresent(trace -> {
                        throw new ServerException("Connector %s has FAILED, %s".formatted(name, trace));
                    });
                    return latest.get().map(status -> status.isRunning(tasks)).orElse(false);
                },
                Poll.LONG_INTERVAL,
                atMost);
        if (!running) {
            throw new ServerException("Connector %s is not running with %d tasks after %d s: %s"
                    .formatted(name, tasks, atMost.toSeconds(), latest.get()));
        }
        return latest.get().orElseThrow();
    }

    /** The status, or empty if it is not known. A connector has no status immediately after its creation. */
    public Optional<ConnectorStatus> statusIfKnown(String name) {
        try {
            return Optional.of(status(name));
        } catch (RestException e) {
            if (e.status() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Restarts the connector, and its tasks if requested, whatever their state is. */
    public void restart(String name, boolean includeTasks) {
        client.send("POST", connector(name) + "/restart?includeTasks=" + includeTasks, Optional.empty());
    }

    public void restartTask(String name, int task) {
        client.send("POST", connector(name) + "/tasks/" + task + "/restart", Optional.empty());
    }

    /** Requests the state PAUSED: the tasks stay but stop consuming. Returns without waiting for it. */
    public void pause(String name) {
        client.send("PUT", connector(name) + "/pause", Optional.empty());
    }

    public void resume(String name) {
        client.send("PUT", connector(name) + "/resume", Optional.empty());
    }

    /** Requests the state STOPPED: the tasks end, the configuration stays. Returns without waiting for it. */
    public void stop(String name) {
        client.send("PUT", connector(name) + "/stop", Optional.empty());
    }

    public void delete(String name) {
        client.send("DELETE", connector(name), Optional.empty());
    }

    /** The committed offsets of a sink: for each partition the next record to consume. */
    public Map<TopicPartition, Long> offsets(String name) {
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        for (JsonNode entry : client.get(connector(name) + "/offsets").path("offsets")) {
            JsonNode partition = entry.path("partition");
            offsets.put(
                    new TopicPartition(
                            partition.path("kafka_topic").asText(),
                            partition.path("kafka_partition").asInt()),
                    entry.path("offset").path("kafka_offset").asLong());
        }
        return offsets;
    }

    /** The committed offset of a source connector with one partition; a missing node before there is one. */
    public JsonNode sourceOffset(String name) {
        return client.get(connector(name) + "/offsets").at("/offsets/0/offset");
    }

    /** Sets committed offsets of a sink. The sink must be STOPPED. */
    public void alterOffsets(String name, Map<TopicPartition, Long> offsets) {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode entries = body.putArray("offsets");
        offsets.forEach((partition, offset) ->
                entry(entries, partition).putObject("offset").put("kafka_offset", offset));
        client.send("PATCH", connector(name) + "/offsets", Optional.of(body.toString()));
    }

    /** Deletes the committed offset of one partition of a sink. The sink must be STOPPED. */
    public void resetOffset(String name, TopicPartition partition) {
        ObjectNode body = JSON.createObjectNode();
        entry(body.putArray("offsets"), partition).putNull("offset");
        client.send("PATCH", connector(name) + "/offsets", Optional.of(body.toString()));
    }

    private static ObjectNode entry(ArrayNode entries, TopicPartition partition) {
        ObjectNode entry = entries.addObject();
        entry.putObject("partition")
                .put("kafka_topic", partition.topic())
                .put("kafka_partition", partition.partition());
        return entry;
    }

    /** Deletes all committed offsets. The connector must be STOPPED. */
    public void resetOffsets(String name) {
        client.send("DELETE", connector(name) + "/offsets", Optional.empty());
    }

    private static ConnectorInfo info(JsonNode node) {
        Map<String, String> config = new LinkedHashMap<>();
        node.path("config")
                .properties()
                .forEach(entry -> config.put(entry.getKey(), entry.getValue().asText()));
        List<Integer> tasks = each(node.path("tasks"), task -> task.path("task").asInt());
        return new ConnectorInfo(node.path("name").asText(), config, tasks);
    }

    private static <T> List<T> each(JsonNode array, Function<JsonNode, T> read) {
        List<T> values = new ArrayList<>();
        array.forEach(node -> values.add(read.apply(node)));
        return values;
    }

    private static Optional<String> text(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node.asText());
    }

    private static String connector(String name) {
        return "/connectors/" + encode(name);
    }

    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
