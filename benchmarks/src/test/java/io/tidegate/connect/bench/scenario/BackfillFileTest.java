package io.tidegate.connect.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackfillFileTest {
    @TempDir
    private Path folder;

    private List<BackfillFile.Variant> variants(String yaml) throws Exception {
        return BackfillFile.read(Files.writeString(folder.resolve("x.yaml"), yaml))
                .variants();
    }

    @Test
    void changesOneThingAtATimeAndThenAllThatBelongTogether() throws Exception {
        List<BackfillFile.Variant> variants = variants("""
                set: {a: 1}
                before: [make]
                after: [check]
                changes:
                  - {name: x, set: {a: 2}, before: [drop], after: [index]}
                  - {name: y, alone: true, set: {b: 3}}
                  - {name: z, after: [log], tasks: 4}
                """);

        assertThat(variants)
                .extracting(BackfillFile.Variant::name)
                .containsExactly("defaults", "x", "y", "z", "all together");
        assertThat(variants.get(1).settings()).isEqualTo(Map.of("a", "2"));
        assertThat(variants.get(2).settings()).isEqualTo(Map.of("a", "1", "b", "3"));
        BackfillFile.Variant all = variants.get(4);
        assertThat(all.settings()).isEqualTo(Map.of("a", "2"));
        assertThat(all.before()).containsExactly("make", "drop");
        assertThat(all.after()).containsExactly("log", "index", "check");
        assertThat(all.tasks()).isEqualTo(4);
    }

    @Test
    void understandsEveryFileThatIsShipped() throws Exception {
        for (String sink : List.of("jsonb", "es")) {
            assertThat(BackfillFile.read(Path.of("backfill", sink + ".yaml")).variants())
                    .hasSizeGreaterThan(4);
        }
    }

    @Test
    void namesAKeyThatItDoesNotKnow() {
        assertThatThrownBy(() -> variants("changes: [{nme: x}]")).hasMessageContaining("unknown key \"nme\"");
    }
}
