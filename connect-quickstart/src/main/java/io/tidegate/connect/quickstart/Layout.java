package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.worker.MavenPlugin;
import io.tidegate.connect.quickstart.view.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The paths in a checkout of the project. */
record Layout(Path root) {
    private static final List<String> PLUGINS = List.of("connect-jsonb-sink", "connect-es-bulk-sink");

    String connectorJson(Sink sink) throws ToolException {
        return connectorJson(sink.connector());
    }

    /** The file of a connector of this name. */
    String connectorJson(String connector) throws ToolException {
        Path file = root.resolve("docker/connectors").resolve(connector + ".json");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** The folder for {@code plugin.path} with Debezium's connector for PostgreSQL, which Maven fetches once. */
    Path debezium() throws ToolException, InterruptedException {
        return new MavenPlugin(root.resolve("connect-quickstart/target/sources")).debezium();
    }

    Path indexDefinition() {
        return root.resolve("docker/connectors/tides-index.json");
    }

    /** The folders for {@code plugin.path}, which {@code mvn package} builds. */
    Path[] pluginPath() throws ToolException {
        Path[] folders = new Path[PLUGINS.size()];
        for (int i = 0; i < folders.length; i++) {
            folders[i] = root.resolve(PLUGINS.get(i)).resolve("target/plugin");
            if (!Files.isDirectory(folders[i].resolve(PLUGINS.get(i)))) {
                throw new ToolException("the plugin " + PLUGINS.get(i) + " is not built; run: mvn package -DskipTests");
            }
        }
        return folders;
    }
}
