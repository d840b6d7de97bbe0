package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.plugin.NoOpSinkConnector;
import io.tidegate.connect.bench.plugin.NoOpSinkTask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** Makes a plugin of the benchmark's own connectors, so that a worker loads them in isolation like any other. */
final class PluginFolder {
    private static final List<Class<?>> CLASSES = List.of(NoOpSinkConnector.class, NoOpSinkTask.class);

    private PluginFolder() {}

    /** Writes it into a folder and returns what goes into {@code plugin.path}. */
    static Path write(Path folder) throws IOException {
        Path plugin = Files.createDirectories(folder.resolve("bench-connectors"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(plugin.resolve("bench-connectors.jar")))) {
            for (Class<?> type : CLASSES) {
                String name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new ZipEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(jar);
                }
            }
            jar.putNextEntry(new ZipEntry("META-INF/services/org.apache.kafka.connect.sink.SinkConnector"));
            jar.write(NoOpSinkConnector.class.getName().getBytes(StandardCharsets.UTF_8));
        }
        return folder;
    }
}
