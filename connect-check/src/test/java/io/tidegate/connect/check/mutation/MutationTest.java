package io.tidegate.connect.check.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void namesTheLineThatIsMissing(@TempDir Path folder) throws IOException {
        Path patch = folder.resolve("a.patch");
        Files.writeString(patch, "# id: a\n# sink: es\n");

        assertThatThrownBy(() -> Mutation.read(patch))
                .isInstanceOf(ToolException.class)
                .hasMessageEndingWith("has no line '# defect:'");
    }
}
