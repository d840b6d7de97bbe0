package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.spi.TargetType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkConnector;

/** What every sink's connector does: check the settings and hand them to its tasks. Connect's herder thread calls it. */
public abstract class DocumentSinkConnector extends SinkConnector {
    private final TargetType type;
    private Map<String, String> props = Map.of();

    protected DocumentSinkConnector(TargetType type) {
        this.type = requireNonNull(type, "type");
    }

    @Override
    public String version() {
        return type.version();
    }

    @Override
    public ConfigDef config() {
        return type.config();
    }

    /** Each setting by itself first, then all of them together. */
    @Override
    public Config validate(Map<String, String> connectorConfigs) {
        Config config = super.validate(connectorConfigs);
        if (config.configValues().stream()
                .anyMatch(value -> !value.errorMessages().isEmpty())) {
            return config;
        }
        for (TargetType.Problem problem : type.validate(connectorConfigs)) {
            valueOf(config, problem.key()).addErrorMessage(problem.message());
        }
        return config;
    }

    private static ConfigValue valueOf(Config config, String key) {
        return config.configValues().stream()
                .filter(value -> value.name().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no such setting: " + key));
    }

    @Override
    public void start(Map<String, String> connectorProps) {
        props = new HashMap<>(connectorProps); // Connect lets a setting be null
    }

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

    /** Offsets live in Kafka's consumer group only, so any change that the framework makes there is enough. */
    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<TopicPartition, Long> offsets) {
        return true;
    }

    @Override
    public void stop() {
        // A connector holds nothing open; its tasks do.
    }
}
