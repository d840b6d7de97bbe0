package io.tidegate.connect.bench.connector;

import io.tidegate.connect.bench.plugin.NoOpSinkConnector;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plugin with the benchmark's own connectors. Workers load it in isolation, like any other plugin. */
public final class OwnPlugin {
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private OwnPlugin() {}

    /** The folder for {@code plugin.path}. */
    public static Path folder(Path root) throws ToolException {
        Path folder = root.resolve("benchmarks/connectors/target/plugin");
        if (!Files.isDirectory(folder)) {
            throw new ToolException(folder + " is not built; run: mvn package -DskipTests -pl benchmarks/connectors");
        }
        return folder;
    }

    /** A sink that does nothing. It shows the cost of the framework alone. */
    public static ConnectorSpec noOpSink(Path root) throws ToolException {
        Map<String, String> config = Map.of(
                "connector.class", NoOpSinkConnector.class.getName(), "key.converter", BYTES, "value.converter", BYTES);
        Optional<Path> folder = Optional.of(folder(root));
        return new ConnectorSpec("no-op sink", folder, List.of(), config, Table.PLAIN, "");
    }
}
