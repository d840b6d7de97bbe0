package io.tidegate.connect.bench.sink;

import io.tidegate.connect.tools.store.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sink connector as its file describes it.
 *
 * @param plugin the folder for {@code plugin.path}, if it is on this machine
 * @param maven coordinates to fetch it by otherwise: {@code group:artifact:version[:type[:classifier]]}
 * @param table for PostgreSQL
 * @param indexDefinition settings and mappings for Elasticsearch, JSON; empty for the connector's or server's own
 */
record Subject(
        String name,
        Optional<Path> plugin,
        List<String> maven,
        Map<String, String> config,
        Table table,
        String indexDefinition) {

    /** The plugin's. */
    Path folder() {
        return plugin.orElseThrow(() -> new IllegalArgumentException(name + " has no plugin"));
    }

    StoreKind store() {
        return StoreKind.of(config);
    }

    /** The same subject with settings changed. */
    Subject with(String newName, Map<String, String> changes) {
        Map<String, String> changed = new LinkedHashMap<>(config);
        changed.putAll(changes);
        return new Subject(newName, plugin, maven, changed, table, indexDefinition);
    }

    Subject at(Path folder) {
        return new Subject(name, Optional.of(folder), maven, config, table, indexDefinition);
    }
}
