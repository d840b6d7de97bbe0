package io.tidegate.connect.tools.cluster;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Option;

/** The options of every command that say where Kafka is and how the worker is set up. */
public final class ClusterOptions {
    @Option(
            names = "--worker",
            paramLabel = "FILE",
            description = "Properties file of the Connect worker: Kafka's address and security, converters, "
                    + "configuration providers, plugin.path.")
    private Optional<Path> worker = Optional.empty();

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "Kafka's address. With --worker, instead of the address in that file.")
    private Optional<String> bootstrapServers = Optional.empty();

    @Option(
            names = "--client-properties",
            paramLabel = "FILE",
            description = "Properties for Kafka's clients, such as security.protocol. They take precedence over those "
                    + "in the worker's file.")
    private Optional<Path> clientProperties = Optional.empty();

    @Option(
            names = "--plugin-path",
            paramLabel = "DIR",
            description = "Where converters and transforms are that Connect does not have itself. Default: plugin.path "
                    + "in the worker's file.")
    private Optional<String> pluginPath = Optional.empty();

    /**
     * Reads the files. Nothing is connected.
     *
     * @throws ToolException if a file cannot be read or used
     */
    public Worker open() throws ToolException {
        Map<String, String> props = worker.isPresent() ? read(worker.get()) : new HashMap<>(Worker.WITHOUT_FILE);
        bootstrapServers.ifPresent(servers -> props.put("bootstrap.servers", servers));
        pluginPath.ifPresent(path -> props.put("plugin.path", path));
        return Worker.of(props, clientProperties.isPresent() ? read(clientProperties.get()) : Map.of());
    }

    private static Map<String, String> read(Path file) throws ToolException {
        try {
            return new HashMap<>(Utils.propsToStringMap(Utils.loadProps(file.toString())));
        } catch (IOException | IllegalArgumentException e) {
            throw new ToolException("cannot read the properties in " + file + ": " + e.getMessage(), e);
        }
    }
}
