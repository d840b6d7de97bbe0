package io.tidegate.connect.bench.connector;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.worker.MavenPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads connector files: those of {@code benchmarks/sinks} or {@code benchmarks/peers} by name, others by path. */
public record ConnectorFolder(Path root, String name) {
    private static final String SUFFIX = ".json";

    /**
     * Reads a file. If it has only Maven coordinates, the plugin is downloaded.
     *
     * @param otherwise the plugin's folder if the file names none
     */
    public ConnectorSpec read(String nameOrPath, Optional<Path> otherwise) throws ToolException, InterruptedException {
        Path shipped = folder().resolve(nameOrPath + SUFFIX);
        Path file = Files.exists(shipped) ? shipped : Path.of(nameOrPath);
        if (!Files.isRegularFile(file)) {
            throw new ToolException("there is no file " + file + "; " + folder() + " has " + names());
        }
        ConnectorSpec spec = ConnectorFile.read(file, root);
        ConnectorSpec placed = spec.plugin().isEmpty() && otherwise.isPresent() ? spec.at(otherwise.get()) : spec;
        if (placed.plugin().isEmpty() && !placed.maven().isEmpty()) {
            String artifact = placed.maven().get(0).replaceFirst("^[^:]*:([^:]*).*", "$1");
            placed =
                    placed.at(new MavenPlugin(root.resolve("benchmarks/target/peers")).fetch(artifact, placed.maven()));
        }
        Path plugin = placed.plugin().orElseThrow(() -> new ToolException(file + " names no plugin: add --plugin DIR"));
        if (!Files.isDirectory(plugin)) {
            throw new ToolException(plugin + ", the plugin of " + placed.name() + ", is not a folder");
        }
        return placed;
    }

    private Path folder() {
        return root.resolve("benchmarks").resolve(name);
    }

    private String names() throws ToolException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(SUFFIX))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (IOException e) {
            throw new ToolException("cannot list " + folder(), e);
        }
    }
}
