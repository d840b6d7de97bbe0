package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class FoldersTest {
    @Test
    void knowsItsOwnFromACheckoutBesideThem() {
        Path folder = Folders.temporary("some-kind");
        try {
            assertThat(Folders.isTemporary(folder.resolve("lib").resolve("a.jar")))
                    .isTrue();
            assertThat(Folders.isTemporary(
                            folder.resolveSibling("tidegate-main").resolve("a.jar")))
                    .isFalse();
            assertThat(Folders.isTemporary(folder.resolveSibling("a.jar"))).isFalse();
        } finally {
            Folders.delete(folder);
        }
    }
}
