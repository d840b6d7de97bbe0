package io.tidegate.connect.lab.worker;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Fetches connector plugins with Maven, each once. An archive ({@code tar.gz}, {@code zip}) is unpacked. A jar is
 * copied with its runtime dependencies.
 *
 * @param plugins the folder for all plugins
 */
public record MavenPlugin(Path plugins) {
    private static final String PLUGIN = "<artifactId>maven-dependency-plugin</artifactId><version>3.11.0</version>";
    private static final List<String> DEBEZIUM =
            List.of("io.debezium:debezium-connector-postgres:3.6.0.Final:tar.gz:plugin");
    private static final String COMPLETE = ".complete";
    private static final int MINUTES = 10;
    private static final int TYPE = 3;
    private static final int MOST_PARTS = 5;

    /**
     * Fetches a plugin and returns its folder for {@code plugin.path}.
     *
     * @param coordinates {@code group:artifact:version[:type[:classifier]]}
     */
    public Path fetch(String name, List<String> coordinates) throws ToolException, InterruptedException {
        Path folder = plugins.resolve(name);
        String wanted = String.join("\n", coordinates);
        try {
            if (!has(folder, wanted)) {
                Path fresh = Files.createTempDirectory(Files.createDirectories(plugins), name + "-");
                try {
                    fill(fresh, name, coordinates);
                    Files.writeString(fresh.resolve(COMPLETE), wanted);
                    replace(folder, fresh, wanted);
                } finally {
                    Folders.delete(fresh);
                }
            }
            return folder;
        } catch (IOException e) {
            throw new ToolException("cannot fetch " + name + ": " + e.getMessage(), e);
        }
    }

    private static boolean has(Path folder, String wanted) throws IOException {
        Path complete = folder.resolve(COMPLETE);
        return Files.exists(complete) && Files.readString(complete).equals(wanted);
    }

    private static void fill(Path fresh, String name, List<String> coordinates)
            throws IOException, ToolException, InterruptedException {
        Path jars = Files.createDirectories(fresh.resolve(name));
        Files.writeString(fresh.resolve("pom.xml"), pom(coordinates));
        maven(fresh, jars);
        flatten(jars);
    }

    /** Unless another process has fetched the same meanwhile: its folder may be in use. */
    private static void replace(Path folder, Path fresh, String wanted) throws IOException {
        if (has(folder, wanted)) {
            return;
        }
        Folders.delete(folder);
        try {
            Files.move(fresh, folder);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            if (!has(folder, wanted)) {
                throw e;
            }
        }
    }

    /** Fetches Debezium's connector for PostgreSQL, with its transforms. */
    public Path debezium() throws ToolException, InterruptedException {
        return fetch("debezium-postgres", DEBEZIUM);
    }

    private static String pom(List<String> coordinates) throws ToolException {
        StringBuilder dependencies = new StringBuilder();
        for (String one : coordinates) {
            String[] parts = one.split(":", -1);
            if (parts.length < TYPE || parts.length > MOST_PARTS) {
                throw new ToolException("not group:artifact:version[:type[:classifier]]: " + one);
            }
            List<String> tags = List.of("groupId", "artifactId", "version", "type", "classifier");
            dependencies.append("<dependency>");
            for (int i = 0; i < parts.length; i++) {
                dependencies.append("<%1$s>%2$s</%1$s>".formatted(tags.get(i), parts[i]));
            }
            if (parts.length > TYPE && !parts[TYPE].equals("jar")) {
                dependencies.append(
                        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>");
            }
            dependencies.append("</dependency>");
        }
        return "<project><modelVersion>4.0.0</modelVersion><groupId>peer</groupId><artifactId>peer</artifactId>"
                + "<version>1</version><packaging>pom</packaging><dependencies>" + dependencies
                + "</dependencies><build><plugins><plugin>" + PLUGIN + "<configuration><outputDirectory>${jars}"
                + "</outputDirectory></configuration><executions>"
                + execution(
                        "copy-dependencies",
                        "<includeScope>runtime</includeScope><excludeTypes>tar.gz,zip</excludeTypes>")
                + execution("unpack-dependencies", "<includeTypes>tar.gz,zip</includeTypes>")
                + "</executions></plugin></plugins></build></project>";
    }

    private static String execution(String goal, String configuration) {
        return "<execution><id>" + goal + "</id><phase>validate</phase><goals><goal>" + goal
                + "</goal></goals><configuration>" + configuration + "</configuration></execution>";
    }

    private static void maven(Path folder, Path jars) throws ToolException, IOException, InterruptedException {
        List<String> command = List.of("mvn", "-B", "-q", "-ntp", "validate", "-Djars=" + jars);
        Path log = folder.resolve("maven.log");
        Process maven = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!maven.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new ToolException("Maven has not fetched the plugin in " + MINUTES
                        + " minutes: check the network, and the proxy and mirrors in its settings.xml");
            }
            if (maven.exitValue() != 0) {
                throw new ToolException("Maven could not fetch the plugin: "
                        + Files.readString(log)
                                .lines()
                                .filter(line -> line.contains("ERROR"))
                                .findFirst()
                                .orElse("it ended with status " + maven.exitValue()));
            }
        } finally {
            maven.destroy();
            Process unused = maven.onExit().join(); // it writes into the folder, which is deleted next
        }
    }

    /** Moves the contents of an archive's only folder up, because the worker searches for jars only one level deep. */
    private static void flatten(Path jars) throws IOException {
        List<Path> entries;
        try (Stream<Path> files = Files.list(jars)) {
            entries = files.toList();
        }
        if (entries.size() == 1 && Files.isDirectory(entries.get(0))) {
            Path aside = jars.resolveSibling("unpacked");
            Files.move(entries.get(0), aside);
            Files.delete(jars);
            Files.move(aside, jars);
        }
    }
}
