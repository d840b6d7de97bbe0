package io.tidegate.connect.bench.plugin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * A source that sends each record of a load when it is due. It costs little, because its values are made in advance.
 * The tasks share the rate. The worker's herder thread calls it.
 */
public final class GeneratorSourceConnector extends SourceConnector {
    static final String TASK = "generator.task";
    static final String TASKS = "generator.tasks";

    private Map<String, String> props = Map.of(); // the herder's thread writes it

    @Override
    public String version() {
        return NoOpSinkConnector.VERSION;
    }

    @Override
    public void start(Map<String, String> given) {
        props = Map.copyOf(given);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return GeneratorSourceTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return IntStream.range(0, maxTasks)
                .mapToObj(task -> config(task, maxTasks))
                .toList();
    }

    private Map<String, String> config(int task, int tasks) {
        Map<String, String> config = new HashMap<>(props);
        config.put(TASK, Integer.toString(task));
        config.put(TASKS, Integer.toString(tasks));
        return config;
    }

    @Override
    public void stop() {
        // Nothing was opened.
    }

    @Override
    public ConfigDef config() {
        return GeneratorSettings.define();
    }
}
