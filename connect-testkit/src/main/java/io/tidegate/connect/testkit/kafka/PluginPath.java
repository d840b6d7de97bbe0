package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Lists plugins with Kafka's {@code connect-plugin-path}. */
public final class PluginPath {
    private static final String MAIN = "org.apache.kafka.tools.ConnectPluginPath";
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private PluginPath() {}

    /**
     * Runs {@code connect-plugin-path list}.
     *
     * @param folder the folder that contains the plugins' folders
     * @return a heading, then a tab-separated line for each plugin: name, aliases, version, type, whether it can be
     *     loaded, whether it has a service manifest, and its location
     * @throws ServerException if the tool fails
     */
    public static List<String> list(Path folder) {
        Path scratch = Folders.temporary("plugin-path");
        try {
            Path log = scratch.resolve("out");
            List<String> arguments =
                    List.of("list", "--plugin-path", folder.toAbsolutePath().toString());
            Commands.run(
                    Jvm.ordinary().withFastStart().command(KafkaRelease.classPath(), List.of(), MAIN, arguments),
                    scratch,
                    log,
                    AT_MOST);
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Folders.delete(scratch);
        }
    }
}
