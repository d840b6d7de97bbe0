package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerClassPath;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The plugin's folder as a worker without OpenTelemetry loads it, with Connect's own class loader for plugins. */
final class PluginFolderIT {
    private static final Path FOLDER = Path.of("target", "plugin");

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    private static URL[] urls(Stream<Path> files) {
        return files.map(file -> {
                    try {
                        return file.toUri().toURL();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .toArray(URL[]::new);
    }

    @Test
    void aWriterIsNotTracedWithoutOpenTelemetry() throws Exception {
        List<Path> jars = jars();
        assertThat(jars).map(each -> each.getFileName().toString()).noneMatch(name -> name.contains("opentelemetry"));
        Stream<Path> worker =
                Stream.of(ServerClassPath.of("kafka").split(File.pathSeparator)).map(Path::of);
        try (URLClassLoader parent = new URLClassLoader(urls(worker), ClassLoader.getPlatformClassLoader());
                URLClassLoader plugin = (URLClassLoader)
                        parent.loadClass("org.apache.kafka.connect.runtime.isolation.PluginClassLoader")
                                .getConstructor(URL.class, URL[].class, ClassLoader.class)
                                .newInstance(FOLDER.toUri().toURL(), urls(jars.stream()), parent)) {
            assertThatThrownBy(() -> plugin.loadClass("io.opentelemetry.api.trace.Span"))
                    .isInstanceOf(ClassNotFoundException.class);
            Object type = plugin.loadClass(PostgresTargetType.class.getName())
                    .getConstructor()
                    .newInstance();
            Object target = type.getClass()
                    .getMethod("open", Map.class)
                    .invoke(type, Map.of("connection.url", "jdbc:postgresql://localhost:1/none"));
            Class<?> targets = plugin.loadClass("io.tidegate.connect.common.spi.Target");
            Class<?> writers = plugin.loadClass("io.tidegate.connect.common.spi.BatchWriter");
            Class<?> traced = plugin.loadClass("io.tidegate.connect.common.spi.Traced");
            try {
                Object writer = targets.getMethod("openWriter", int.class).invoke(target, 0);
                Object same = plugin.loadClass("io.tidegate.connect.common.tracing.Tracing")
                        .getMethod("of", writers, traced)
                        .invoke(null, writer, targets.getMethod("traced").invoke(target));

                assertThat(same.getClass().getClassLoader()).isSameAs(plugin);
                assertThat(same).isSameAs(writer);
            } finally {
                targets.getMethod("close").invoke(target);
            }
        }
    }
}
