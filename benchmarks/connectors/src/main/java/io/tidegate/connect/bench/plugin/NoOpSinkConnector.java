package io.tidegate.connect.bench.plugin;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * A sink that ignores every record. Its rate is the most that the framework can deliver. Called by the herder thread.
 */
public final class NoOpSinkConnector extends SinkConnector {
    static final String VERSION = "1";

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public void start(Map<String, String> props) {
        // Nothing to prepare.
    }

    @Override
    public Class<? extends Task> taskClass() {
        return NoOpSinkTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return IntStream.range(0, maxTasks)
                .mapToObj(task -> Map.<String, String>of())
                .toList();
    }

    @Override
    public void stop() {
        // Nothing was opened.
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef();
    }
}
