package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workflows use only pinned actions, may only what they need, and run scripts that are there. */
final class WorkflowsTest {
    private static final Pattern SCRIPT =
            Pattern.compile("(?m)(?<![\\w/])((?:\\./|\\.ci/|docker/|site/)[a-z-]+)(?= |$)");

    static Stream<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(PROJECT.resolve(".github/workflows"))) {
            List<Path> workflows = files.sorted().toList();
            assertThat(workflows).hasSizeGreaterThan(3);
            return workflows.stream();
        }
    }

    private static JsonNode read(Path workflow) throws IOException {
        return new YAMLMapper().readTree(workflow.toFile());
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void everyActionIsPinnedByItsCommit(Path workflow) throws IOException {
        assertThat(Files.readAllLines(workflow).stream().filter(line -> line.contains("uses:")))
                .isNotEmpty()
                .allMatch(line -> line.matches(".*uses: [\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aJobMayReadUnlessItSaysMore(Path workflow) throws IOException {
        assertThat(read(workflow).path("permissions").toString()).isEqualTo("{\"contents\":\"read\"}");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void everyJobHasATimeLimit(Path workflow) throws IOException {
        assertThat(read(workflow).path("jobs")).isNotEmpty().allSatisfy(job -> assertThat(
                        job.path("timeout-minutes").asInt())
                .isPositive());
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void everyScriptIsThere(Path workflow) throws IOException {
        for (JsonNode job : read(workflow).path("jobs")) {
            for (JsonNode step : job.path("steps")) {
                assertThat(SCRIPT.matcher(step.path("run").asText()).results())
                        .allSatisfy(script ->
                                assertThat(PROJECT.resolve(script.group(1))).isExecutable());
            }
        }
    }
}
