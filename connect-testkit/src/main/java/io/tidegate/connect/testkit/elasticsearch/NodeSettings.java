package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Log4j;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The files that Elasticsearch and OpenSearch read when they start. */
final class NodeSettings {
    private static final String LOG_PATTERN = "%d %p [%node_name]%marker %m (%c{1.})%n";

    private NodeSettings() {}

    /** What nodes of either product are told. */
    static Map<String, String> common(String name, int port, int transportPort) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cluster.name", "testkit");
        settings.put("node.name", name);
        settings.put("network.host", "127.0.0.1");
        settings.put("http.port", Integer.toString(port));
        settings.put("transport.port", Integer.toString(transportPort));
        // A nearly full disk of a developer's machine would make indices read-only.
        settings.put("cluster.routing.allocation.disk.threshold_enabled", "false");
        return settings;
    }

    /** @param file the product's name for its settings */
    static void write(Path config, String file, Map<String, String> settings) {
        Folders.write(config.resolve(file), yaml(settings));
        Log4j.write(config.resolve("log4j2.properties"), LOG_PATTERN);
    }

    /** Lists in brackets stay lists. */
    private static String yaml(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + scalar(entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static String scalar(String value) {
        return value.startsWith("[") ? value : "'" + value.replace("'", "''") + "'";
    }
}
