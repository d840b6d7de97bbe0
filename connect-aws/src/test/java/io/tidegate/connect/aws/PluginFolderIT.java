package io.tidegate.connect.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink's plugin folder with the archive of this module in it, as Connect's own code finds and loads its jars. */
final class PluginFolderIT {
    private static final Path PLUGIN = Path.of("..", "connect-es-bulk-sink", "target", "plugin");
    private static final Map<String, String> PROPS = Map.of(
            "topics", "tides",
            "connection.url", "https://abc.eu-west-1.es.amazonaws.com",
            "connection.credentials.provider", "aws",
            "connection.credentials.aws.roles", "arn:aws:iam::123456789012:role/tides");

    @TempDir
    private Path folder;

    @Test
    void theProviderIsFoundOnceTheArchiveIsUnpacked() throws Exception {
        Path plugin = Files.createDirectory(folder.resolve("tidegate"));
        copyJars(plugin);
        assertThat(problems(plugin)).contains("connect-aws-VERSION.jar");

        unpack(plugin);

        assertThat(problems(plugin)).isEqualTo("[]");
    }

    private static void copyJars(Path plugin) throws IOException {
        try (Stream<Path> files = Files.walk(PLUGIN)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Files.copy(jar, plugin.resolve(jar.getFileName()));
            }
        }
    }

    private static void unpack(Path plugin) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            Path archive = files.filter(file -> file.toString().endsWith(".zip"))
                    .findFirst()
                    .orElseThrow();
            try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    Path file = plugin.resolve(entry.getName());
                    if (entry.isDirectory()) {
                        Files.createDirectories(file);
                    } else {
                        Files.createDirectories(file.getParent());
                        Files.copy(zip, file);
                    }
                }
            }
        }
    }

    /** What the validation says; a configuration without problems is also opened, which loads AWS's SDK. */
    private static String problems(Path folder) throws Exception {
        Stream<Path> worker =
                Stream.of(ServerClassPath.of("kafka").split(File.pathSeparator)).map(Path::of);
        try (URLClassLoader parent = new URLClassLoader(urls(worker), ClassLoader.getPlatformClassLoader())) {
            List<?> jars = (List<?>) parent.loadClass("org.apache.kafka.connect.runtime.isolation.PluginUtils")
                    .getMethod("pluginUrls", Path.class)
                    .invoke(null, folder);
            URL[] urls = urls(jars.stream().map(Path.class::cast));
            try (URLClassLoader plugin =
                    (URLClassLoader) parent.loadClass("org.apache.kafka.connect.runtime.isolation.PluginClassLoader")
                            .getConstructor(URL.class, URL[].class, ClassLoader.class)
                            .newInstance(folder.toUri().toURL(), urls, parent)) {
                Object type = plugin.loadClass(ElasticsearchTargetType.class.getName())
                        .getConstructor()
                        .newInstance();
                String problems = type.getClass()
                        .getMethod("validate", Map.class)
                        .invoke(type, PROPS)
                        .toString();
                if (problems.equals("[]")) {
                    Object target = type.getClass().getMethod("open", Map.class).invoke(type, PROPS);
                    plugin.loadClass("io.tidegate.connect.common.spi.Target")
                            .getMethod("close")
                            .invoke(target);
                }
                return problems;
            }
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
}
