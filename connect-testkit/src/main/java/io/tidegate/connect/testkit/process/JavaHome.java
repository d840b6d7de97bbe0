package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDK on this machine, as its {@code release} file describes it.
 *
 * @param feature the first number of its version
 */
record JavaHome(Path folder, int feature) {
    private static final String PROPERTY = "testkit.java.home";
    private static final Pattern VARIABLE = Pattern.compile("(JAVA|JDK)_?\\d*_?HOME(_.*)?");
    private static final Pattern VERSION = Pattern.compile("\"?(?:1\\.)?(\\d+).*");
    private static final List<Path> WELL_KNOWN = List.of(
            Path.of("/usr/lib/jvm"),
            Path.of("/usr/java"),
            Path.of("/opt/java"),
            Path.of("/Library/Java/JavaVirtualMachines"),
            Path.of(System.getProperty("user.home"), ".sdkman/candidates/java"),
            Path.of(System.getProperty("user.home"), ".jdks"));

    /** The JDK of this JVM. */
    static JavaHome current() {
        return new JavaHome(
                Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    /**
     * The JDK of this JVM if it is new enough, otherwise the oldest that is. Searches the property {@code
     * testkit.java.home}, environment variables such as {@code JAVA21_HOME}, and the usual folders.
     */
    static Optional<JavaHome> atLeast(int feature) {
        if (current().feature() >= feature) {
            return Optional.of(current());
        }
        return oldest(candidates(System.getenv()), feature);
    }

    /** The message for a missing JDK. */
    static String notFound(int feature) {
        return "this machine has no JDK %d or newer; searched -D%s, environment variables such as JAVA%d_HOME, and %s"
                .formatted(feature, PROPERTY, feature, WELL_KNOWN);
    }

    static Optional<JavaHome> oldest(List<Path> candidates, int feature) {
        return candidates.stream()
                .flatMap(folder -> read(folder).stream())
                .filter(home -> home.feature() >= feature)
                .min(Comparator.comparingInt(JavaHome::feature));
    }

    static List<Path> candidates(Map<String, String> environment) {
        List<Path> candidates = new ArrayList<>();
        Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).ifPresent(candidates::add);
        new TreeMap<>(environment).forEach((name, value) -> {
            if (VARIABLE.matcher(name).matches()) {
                candidates.add(Path.of(value));
            }
        });
        for (Path parent : WELL_KNOWN) {
            for (Path folder : children(parent)) {
                candidates.add(folder);
                candidates.add(folder.resolve("Contents/Home")); // macOS
            }
        }
        return candidates;
    }

    private static List<Path> children(Path folder) {
        List<Path> children = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
                found.forEach(children::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        children.sort(Comparator.naturalOrder());
        return children;
    }

    /** Empty if the folder holds no JDK. A JRE has no compiler and does not count. */
    private static Optional<JavaHome> read(Path folder) {
        Path release = folder.resolve("release");
        if (!Files.isExecutable(folder.resolve("bin/javac")) || !Files.isReadable(release)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(release)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher version = VERSION.matcher(properties.getProperty("JAVA_VERSION", ""));
        return version.matches()
                ? Optional.of(new JavaHome(folder, Integer.parseInt(version.group(1))))
                : Optional.empty();
    }

    /** The path of a program such as {@code java} or {@code javac}. */
    String program(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }
}
