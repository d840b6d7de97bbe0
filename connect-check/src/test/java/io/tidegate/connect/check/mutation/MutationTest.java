package io.tidegate.connect.check.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MutationTest {
    @Test
    void eachPatchOfTheProjectSaysWhatItPutsBack() throws ToolException {
        List<Mutation> all = Mutation.in(Path.of("mutations"));

        assertThat(all).hasSizeGreaterThanOrEqualTo(2).allSatisfy(mutation -> {
            assertThat(mutation.id()).isNotBlank();
            assertThat(mutation.defect()).isNotBlank();
            assertThat(mutation.sink()).isIn("jsonb", "es", "both", "tools");
        });
        assertThat(all).extracting(Mutation::id).doesNotHaveDuplicates();
    }

    /** A patch that no longer fits would be noticed only when somebody runs it. */
    @Test
    void eachPatchOfTheProjectFitsTheCode() throws ToolException, IOException {
        for (Mutation mutation : Mutation.in(Path.of("mutations"))) {
            for (Part part : parts(Files.readAllLines(mutation.patch()))) {
                assertThat(Files.readString(Path.of("..").resolve(part.file())))
                        .as(mutation.id())
                        .containsOnlyOnce(part.before());
            }
        }
    }

    /**
     * A changed part of a file.
     *
     * @param before the lines that the patch expects
     */
    private record Part(String file, String before) {}

    private static List<Part> parts(List<String> patch) {
        List<Part> parts = new ArrayList<>();
        String file = "";
        StringBuilder before = new StringBuilder();
        for (String line : patch) {
            if (line.startsWith("@@") || line.startsWith("diff ")) {
                if (!before.isEmpty()) {
                    parts.add(new Part(file, before.toString()));
                }
                before = new StringBuilder();
            } else if (line.startsWith("--- a/")) {
                file = line.substring("--- a/".length());
            } else if (!file.isEmpty() && (line.startsWith(" ") || line.startsWith("-"))) {
                before.append(line.substring(1)).append('\n');
            }
        }
        parts.add(new Part(file, before.toString()));
        return parts;
    }

    @Test
    void namesTheLineThatIsMissing(@TempDir Path folder) throws IOException {
        Path patch = folder.resolve("a.patch");
        Files.writeString(patch, "# id: a\n# sink: es\n");

        assertThatThrownBy(() -> Mutation.read(patch))
                .isInstanceOf(ToolException.class)
                .hasMessageEndingWith("has no line '# defect:'");
    }
}
