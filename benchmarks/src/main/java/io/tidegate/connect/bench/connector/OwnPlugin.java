package io.tidegate.connect.bench.connector;

import io.tidegate.connect.bench.plugin.NoOpSinkConnector;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plugin of the benchmark's own connectors: workers load it in isolation like any other. */
public final class OwnPlugin {
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private OwnPlugin() {}

    /** What goes into {@code plugin.path}. */
    public static Path folder(Path root) throws ToolException {
        Path folder = root.resolve("benchmarks/connectors/target/plugin");
        if (!Files.isDirectory(folder)) {
            throw new ToolException(folder + " is not built: mvn package -DskipTests -pl benchmarks/connectors");
        }
        return folder;
    }

    /** What the framework alone costs. */
    public static ConnectorSpec noOpSink(Path root) throws ToolException {
        Map<String, String> config = Map.of(
                "connector.class", NoOpSinkConnector.class.getName(), "key.converter", BYTES, "value.converter", BYTES);
        return new ConnectorSpec("no-op sink", Optional.of(folder(root)), List.of(), config, Table.PLAIN, "");
    }
}
