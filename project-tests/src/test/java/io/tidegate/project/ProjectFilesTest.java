package io.tidegate.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** POMs have what Maven Central demands, and manifests what Confluent Hub shows. */
final class ProjectFilesTest {
    static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

    static Stream<Path> poms() throws IOException {
        List<Path> poms = new ArrayList<>(List.of(PROJECT.resolve("pom.xml")));
        MODULE.matcher(Files.readString(poms.get(0)))
                .results()
                .forEach(module -> poms.add(PROJECT.resolve(module.group(1)).resolve("pom.xml")));
        assertThat(poms).hasSizeGreaterThan(15);
        return poms.stream();
    }

    /** The modules of sinks: all whose name says so. */
    static List<String> sinks() throws IOException {
        List<String> sinks = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(PROJECT, "connect-*-sink")) {
            modules.forEach(module -> sinks.add(module.getFileName().toString()));
        }
        assertThat(sinks).hasSizeGreaterThan(1);
        return sinks;
    }

    /** A module inherits the rest from the parent. */
    @ParameterizedTest
    @MethodSource("poms")
    void everyPomSaysWhatItIs(Path pom) throws IOException {
        assertThat(Files.readString(pom))
                .containsPattern("(?m)^  <name>.+</name>")
                .containsPattern("(?m)^  <description>.+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?m)^  <url>.+</url>",
                "(?s)<licenses>.*<name>Apache-2.0</name>.*</licenses>",
                "(?s)<developer>.*<name>.+</name>.*<organization>.+</organization>.*</developer>",
                "(?s)<scm .*<connection>scm:git:.+</connection>.*<developerConnection>scm:git:.+</developerConnection>.*</scm>",
                // Otherwise Maven appends each module's name to the addresses.
                "child.project.url.inherit.append.path=\"false\"",
                "child.scm.url.inherit.append.path=\"false\"",
            })
    void theParentSaysWhoseTheProjectIsAndWhere(String pattern) throws IOException {
        assertThat(Files.readString(PROJECT.resolve("pom.xml"))).containsPattern(pattern);
    }

    @ParameterizedTest
    @MethodSource("sinks")
    void theManifestHasWhatConfluentHubShows(String module) throws IOException {
        JsonNode manifest = new ObjectMapper()
                .readTree(PROJECT.resolve(module)
                        .resolve("src/main/plugin/manifest.json")
                        .toFile());

        for (String field : List.of(
                "/name",
                "/title",
                "/description",
                "/documentation_url",
                "/source_url",
                "/owner/username",
                "/owner/name",
                "/owner/url",
                "/support/provider_name",
                "/support/summary",
                "/support/url",
                "/license/0/name",
                "/tags/0",
                "/requirements/0")) {
            assertThat(manifest.at(field).asText()).as(field).isNotBlank();
        }
        assertThat(manifest.at("/logo").asText()).isEqualTo("assets/logo.png");
        assertThat(PROJECT.resolve("assembly/logo.png")).exists();
        assertThat(PROJECT.resolve("docs/reference")
                        .resolve(manifest.at("/documentation_url").asText().replaceFirst(".*/", "")))
                .exists();
    }

    /** The delivery guarantees that the sink's own settings offer. */
    @ParameterizedTest
    @MethodSource("sinks")
    void theManifestPromisesWhatTheSinkCan(String module) throws IOException {
        JsonNode manifest = new ObjectMapper()
                .readTree(PROJECT.resolve(module)
                        .resolve("src/main/plugin/manifest.json")
                        .toFile());
        boolean exactlyOnce = Files.readString(PROJECT.resolve("docs/reference")
                        .resolve(module.substring("connect-".length()) + "-settings.md"))
                .contains("#### `delivery.guarantee`\n");

        List<String> promised = new ArrayList<>();
        manifest.at("/features/delivery_guarantee").forEach(guarantee -> promised.add(guarantee.asText()));
        assertThat(promised)
                .containsExactlyElementsOf(
                        exactlyOnce ? List.of("at_least_once", "exactly_once") : List.of("at_least_once"));
    }
}
