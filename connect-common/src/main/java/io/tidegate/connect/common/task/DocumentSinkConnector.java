package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.HeaderTexts;
import io.tidegate.connect.common.settings.MisspelledSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.settings.ValidationSettings.ServerQuestion;
import io.tidegate.connect.common.spi.TargetType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the settings of a sink's connector and gives them to its tasks. Connect's herder thread calls it. */
public abstract class DocumentSinkConnector extends SinkConnector {
    private static final Logger log = LoggerFactory.getLogger(DocumentSinkConnector.class);

    private static final String AUTO_COMMIT = "consumer.override.enable.auto.commit";

    private final TargetType type;
    private Map<String, String> props = Map.of();

    protected DocumentSinkConnector(TargetType type) {
        this.type = requireNonNull(type, "type");
    }

    /** What the sink writes to. */
    public final TargetType type() {
        return type;
    }

    @Override
    public String version() {
        return type.version();
    }

    @Override
    public ConfigDef config() {
        return type.config();
    }

    /** Checks each setting, then all of them together, then asks the server if the settings say so. */
    @Override
    public Config validate(Map<String, String> connectorConfigs) {
        Map<String, String> resolved = resolve(connectorConfigs);
        Config config = super.validate(resolved);
        hideSecrets(config);
        type.aliases().contradictions(connectorConfigs).forEach(problem -> valueOf(config, problem.key())
                .addErrorMessage(problem.message()));
        if (config.configValues().stream()
                .anyMatch(value -> !value.errorMessages().isEmpty())) {
            return config;
        }
        List<Problem> problems = new ArrayList<>(type.validate(resolved));
        autoCommit(resolved).ifPresent(problems::add);
        HeaderTexts.problem(resolved, config().names()).ifPresent(problems::add);
        problems.addAll(misspelled(resolved));
        for (Problem problem : problems.isEmpty() ? askServer(resolved) : problems) {
            valueOf(config, problem.key()).addErrorMessage(problem.message());
        }
        return config;
    }

    private List<Problem> misspelled(Map<String, String> props) {
        Set<String> unknown = new HashSet<>(props.keySet());
        unknown.removeAll(type.aliases().withoutEffect(props).keySet());
        return MisspelledSettings.problems(unknown, config().names());
    }

    /** Connect sets it to false and commits what tasks have written, but a connector's own value takes precedence. */
    private static Optional<Problem> autoCommit(Map<String, String> props) {
        String value = props.get(AUTO_COMMIT);
        return Problem.when(
                value != null && !value.trim().equalsIgnoreCase("false"),
                AUTO_COMMIT,
                "the consumer would commit the offsets of records that are not written yet, and a crash would lose these"
                        + " records: remove it");
    }

    private List<Problem> askServer(Map<String, String> props) {
        AbstractConfig settings = new AbstractConfig(config(), props, false);
        ServerQuestion question = ValidationSettings.from(settings).server();
        if (question == ServerQuestion.NEVER) {
            return List.of();
        }
        ServerValidation validation = new ServerValidation(question, ServerValidation.PATIENCE);
        return type.serverCheck(props).map(validation::problems).orElse(List.of());
    }

    /**
     * Connect hides passwords that have their own setting. It shows all other values as they were given, and Kafka repeats
     * them in its errors. A config provider may have put secrets into them.
     */
    private static void hideSecrets(Config config) {
        for (ConfigValue value : config.configValues()) {
            value.errorMessages().replaceAll(HiddenSecrets::in);
            if (value.value() instanceof String text) {
                value.value(HiddenSecrets.in(text));
            } else if (value.value() instanceof List<?> list) {
                value.value(list.stream()
                        .map(item -> item instanceof String text ? HiddenSecrets.in(text) : item)
                        .toList());
            }
        }
    }

    /** A setting of Connect, or of a credentials provider, is not among our own: it is added. */
    private static ConfigValue valueOf(Config config, String key) {
        return config.configValues().stream()
                .filter(value -> value.name().equals(key))
                .findFirst()
                .orElseGet(() -> {
                    ConfigValue added = new ConfigValue(key);
                    config.configValues().add(added);
                    return added;
                });
    }

    @Override
    public void start(Map<String, String> connectorProps) {
        type.aliases()
                .readings(connectorProps)
                .forEach((theirs, ours) -> log.warn("{} is read as {}: use that name", theirs, ours));
        Map<String, String> without = type.aliases().withoutEffect(connectorProps);
        if (!without.isEmpty()) {
            log.warn("These settings of another sink have no effect here: {}", without);
        }
        type.warnings(connectorProps)
                .forEach(warning -> log.warn("The settings can be used, but look at them: {}", warning));
        props = connectorProps;
    }

    /** Translates a configuration that uses other names to the names of {@link #config()}. */
    protected final Map<String, String> resolve(Map<String, String> connectorProps) {
        return type.aliases().resolve(connectorProps);
    }

    /**
     * Uses the user's own names. Connect stores a task's settings with references in the place of secrets. It finds the
     * secrets by the names in the connector's settings.
     */
    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        List<Map<String, String>> configs = new ArrayList<>(maxTasks);
        for (int task = 0; task < maxTasks; task++) {
            Map<String, String> config = new HashMap<>(props);
            config.put(TaskSettings.TASK_NUMBER, Integer.toString(task));
            configs.add(config);
        }
        return configs;
    }

    /** Offsets are only in Kafka's consumer group, so the change that the framework makes there is enough. */
    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<TopicPartition, Long> offsets) {
        return true;
    }

    @Override
    public void stop() {
        // A connector holds nothing open; its tasks do.
    }
}
