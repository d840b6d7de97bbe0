package io.tidegate.connect.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The class path of a server, as the build of its module wrote it. These jars are not on the class path of this JVM.
 * The module itself (a jar or a folder of classes) is the first entry.
 */
public final class ServerClassPath {
    private ServerClassPath() {}

    /**
     * Returns the class path of one server.
     *
     * @param name of the resource {@code io/tidegate/servers/NAME.classpath}
     * @throws ServerException if the server's module is not on the class path of this JVM, or a jar no longer exists
     */
    public static String of(String name) {
        String resource = "io/tidegate/servers/" + name + ".classpath";
        URL url = Optional.ofNullable(ServerClassPath.class.getClassLoader().getResource(resource))
                .orElseThrow(() -> new ServerException("The class path does not contain the resource " + resource
                        + ": build the module testkit-server-" + name + " (mvn -am) and depend on it"));
        List<String> entries = new ArrayList<>();
        entries.add(root(url, resource).toString());
        entries.addAll(List.of(read(url).strip().split("\\|", -1)));
        for (String entry : entries) {
            if (!Files.exists(Path.of(entry))) {
                throw new ServerException(
                        "%s names %s, which does not exist: build testkit-server-%s again".formatted(url, entry, name));
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String read(URL url) {
        try (InputStream in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The jar or folder of a resource {@code jar:file:/x/y.jar!/resource} or {@code file:/x/resource}. */
    public static Path root(URL url, String resource) {
        String text = url.toString();
        String root = text.startsWith("jar:")
                ? text.substring("jar:".length(), text.indexOf("!/"))
                : text.substring(0, text.length() - resource.length());
        try {
            return Path.of(new URI(root));
        } catch (URISyntaxException e) {
            throw new ServerException("Not a file or folder: " + root, e);
        }
    }
}
