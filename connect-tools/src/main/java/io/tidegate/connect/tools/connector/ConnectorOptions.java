package io.tidegate.connect.tools.connector;

import io.tidegate.connect.cli.ToolException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every command that say where a connector's settings are. */
public final class ConnectorOptions {
    private static final String FILE = ".json";

    @Option(
            names = "--connect",
            paramLabel = "URL",
            description =
                    "A Connect worker's REST address, such as http://connect:8083. The connector is then the name of"
                            + " one that Connect has, unless it ends with .json.")
    private Optional<URI> connect = Optional.empty();

    @Option(names = "--connect-user", paramLabel = "USER", description = "The user for --connect.")
    private Optional<String> user = Optional.empty();

    @Option(
            names = "--connect-password",
            interactive = true,
            description = "Ask for that user's password. Default: the variable TIDEGATE_CONNECT_PASSWORD.")
    private String password = "";

    /**
     * Reads a connector from its file, or from Connect.
     *
     * @param connector its name in Connect, or its file
     * @throws ToolException if it cannot be read
     */
    public ConnectorFile read(Path connector) throws ToolException, InterruptedException {
        boolean isFile = connect.isEmpty() || connector.toString().endsWith(FILE);
        return isFile
                ? ConnectorFile.read(connector)
                : new ConnectRest(connect.get(), user, password).connector(connector.toString());
    }
}
