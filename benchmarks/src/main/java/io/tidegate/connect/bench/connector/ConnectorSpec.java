package io.tidegate.connect.bench.connector;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.harness.store.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sink connector as its file describes it.
 *
 * @param plugin the folder for {@code plugin.path}, if it is on this machine
 * @param maven the coordinates to download it otherwise: {@code group:artifact:version[:type[:classifier]]}
 * @param table the table to create in PostgreSQL
 * @param indexDefinition settings and mappings for Elasticsearch as JSON; empty for the defaults
 * @param before statements or requests to the store before a run
 * @param after those after a run, which are measured as well
 */
public record ConnectorSpec(
        String name,
        Optional<Path> plugin,
        List<String> maven,
        Map<String, String> config,
        Table table,
        String indexDefinition,
        List<String> before,
        List<String> after) {

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
        return new ConnectorSpec(newName, plugin, maven, changed, table, indexDefinition, before, after);
    }

    /** A copy with work on the store around each run. */
    public ConnectorSpec around(List<String> newBefore, List<String> newAfter) {
        return new ConnectorSpec(name, plugin, maven, config, table, indexDefinition, newBefore, newAfter);
    }

    ConnectorSpec at(Path folder) {
        return new ConnectorSpec(name, Optional.of(folder), maven, config, table, indexDefinition, before, after);
    }

    /** Its entry in the results, which includes the configuration that is posted to the worker. */
    public CandidateInfo entrant(String topic, int tasks) {
        Map<String, String> posted = new LinkedHashMap<>(config);
        posted.put("topics", topic);
        posted.put("tasks.max", Integer.toString(tasks));
        posted.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
        return new CandidateInfo(
                name + ", " + tasks + (tasks == 1 ? " task" : " tasks"),
                store() == StoreKind.NONE ? "floor" : "connector",
                store().label(),
                tasks,
                posted);
    }
}
