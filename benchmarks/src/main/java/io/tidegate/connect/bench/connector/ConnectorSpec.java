package io.tidegate.connect.bench.connector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.lab.store.Table;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A sink connector as its file describes it.
 *
 * @param plugin the folder for {@code plugin.path}, if it is on this machine
 * @param maven the coordinates to download it otherwise: {@code group:artifact:version[:type[:classifier]]}
 * @param table the table to create in PostgreSQL
 * @param indexDefinition settings and mappings for Elasticsearch as JSON; empty for the defaults
 */
public record ConnectorSpec(
        String name,
        Optional<Path> plugin,
        List<String> maven,
        Map<String, String> config,
        Table table,
        String indexDefinition) {

    /** Such a key in the configuration is no setting of the connector, but of the index. */
    private static final String OF_INDEX = "index.settings.";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** With the settings of the index that the configuration contains. */
    @Override
    public String indexDefinition() {
        List<String> keys = keysOfIndex();
        if (keys.isEmpty()) {
            return indexDefinition;
        }
        try {
            ObjectNode definition = (ObjectNode) JSON.readTree(indexDefinition.isEmpty() ? "{}" : indexDefinition);
            keys.forEach(key ->
                    definition.withObjectProperty("settings").put(key.substring(OF_INDEX.length()), config.get(key)));
            return definition.toString();
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> keysOfIndex() {
        return config.keySet().stream().filter(key -> key.startsWith(OF_INDEX)).toList();
    }

    /** The settings of the index that the configuration contains, as part of a name. */
    public String indexSettings() {
        return keysOfIndex().stream()
                .map(key -> " " + key + "=" + config.get(key))
                .collect(Collectors.joining());
    }

    /** The folder of the plugin. */
    public Path folder() {
        return plugin.orElseThrow(() -> new IllegalArgumentException(name + " has no plugin"));
    }

    public StoreKind store() {
        return StoreKind.of(config);
    }

    /** A copy with changed settings. */
    public ConnectorSpec with(String newName, Map<String, String> changes) {
        Map<String, String> changed = new LinkedHashMap<>(config);
        changed.putAll(changes);
        return new ConnectorSpec(newName, plugin, maven, changed, table, indexDefinition);
    }

    ConnectorSpec at(Path folder) {
        return new ConnectorSpec(name, Optional.of(folder), maven, config, table, indexDefinition);
    }

    /** Its entry in the results, which includes the configuration that is posted to the worker. */
    public CandidateInfo entrant(String topic, int tasks) {
        Map<String, String> posted = new LinkedHashMap<>(config);
        keysOfIndex().forEach(posted::remove);
        posted.put("topics", topic);
        posted.put("tasks.max", Integer.toString(tasks));
        posted.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
        return new CandidateInfo(
                name + ", " + tasks + (tasks == 1 ? " task" : " tasks"),
                store() == StoreKind.NONE ? "no-op-sink" : "connector",
                store().label(),
                tasks,
                posted);
    }
}
