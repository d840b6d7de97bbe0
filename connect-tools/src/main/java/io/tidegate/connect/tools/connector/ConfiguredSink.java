package io.tidegate.connect.tools.connector;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.spi.RecordIdentity;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.task.DocumentSinkConnector;
import io.tidegate.connect.tools.cluster.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * One of this project's sinks with the settings of a connector.
 *
 * @param name of the connector
 * @param connector of this program, not of the worker's plugin.path
 * @param props as the sink's task gets them: references are resolved, names are the user's
 */
public record ConfiguredSink(String name, DocumentSinkConnector connector, Map<String, String> props) {
    private static final String RETRY_TIMEOUT_MS = "60000";
    private static final String SUFFIX = "Connector";

    public ConfiguredSink {
        requireNonNull(name, "name");
        requireNonNull(connector, "connector");
        props = Map.copyOf(props);
    }

    /**
     * Resolves the settings and finds the sink.
     *
     * @throws ToolException if a reference cannot be resolved or the connector is not one of this project's
     */
    public static ConfiguredSink of(ConnectorFile file, Worker worker) throws ToolException {
        Map<String, String> props = worker.resolve(file.config());
        return new ConfiguredSink(file.name(), connector(props.get("connector.class")), props);
    }

    private static DocumentSinkConnector connector(String name) throws ToolException {
        List<DocumentSinkConnector> sinks = new ArrayList<>();
        for (SinkConnector each : ServiceLoader.load(SinkConnector.class, ConfiguredSink.class.getClassLoader())) {
            if (each instanceof DocumentSinkConnector sink) {
                sinks.add(sink);
            }
        }
        return sinks.stream()
                .filter(sink -> isNamed(name, sink.getClass()))
                .findFirst()
                .orElseThrow(() -> new ToolException("connector.class is " + name + ", which is none of "
                        + sinks.stream()
                                .map(sink -> sink.getClass().getName())
                                .sorted()
                                .collect(Collectors.joining(", "))));
    }

    /** As Connect finds a connector: by its full name, its simple name, or the simple name without "Connector". */
    private static boolean isNamed(String name, Class<?> type) {
        String simple = type.getSimpleName();
        return name.equals(type.getName())
                || name.equals(simple)
                || name.equals(simple.substring(0, simple.length() - SUFFIX.length()));
    }

    /**
     * The same sink as a task that writes dead letters has it: never over newer data. What it refuses is reported.
     *
     * @param other name, so that it shares no offsets with the connector
     * @param topic of the letters
     */
    public ConfiguredSink redriving(String other, String topic) {
        Map<String, String> letters = new HashMap<>(props);
        letters.keySet().removeIf(key -> key.startsWith("errors.deadletterqueue.") || key.equals("topics.regex"));
        letters.put("name", other);
        letters.put("topics", topic);
        letters.put("errors.tolerance", "all");
        letters.put(RedriveSettings.REDRIVE, "true");
        letters.putIfAbsent(RetrySettings.RETRY_TIMEOUT_MS, RETRY_TIMEOUT_MS); // a user waits
        return new ConfiguredSink(other, connector, letters);
    }

    public TargetType type() {
        return connector.type();
    }

    /** The settings under this project's names, for {@link TargetType#open}. */
    public Map<String, String> settings() {
        return type().aliases().resolve(props);
    }

    /** What of a record decides which row or document it becomes. */
    public RecordIdentity identity() {
        return type().identity(settings());
    }

    /** How long an outage is waited for; 0 for ever. */
    Duration patience() {
        return RetrySettings.from(new AbstractConfig(type().config(), settings(), false))
                .timeout();
    }

    /**
     * Checks the sink's settings as Connect does before it starts the connector. No server is asked.
     *
     * @throws ToolException that names each wrong setting
     */
    public void check() throws ToolException {
        Map<String, String> offline = new HashMap<>(props);
        offline.put(ValidationSettings.VALIDATE_SERVER, "never");
        List<String> problems = new ArrayList<>();
        for (ConfigValue value : connector.validate(offline).configValues()) {
            value.errorMessages().forEach(message -> problems.add("  " + value.name() + ": " + message));
        }
        if (!problems.isEmpty()) {
            throw new ToolException("Connect would not take connector " + name + ":\n" + String.join("\n", problems));
        }
    }
}
