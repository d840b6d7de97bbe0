package io.tidegate.connect.common.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReloadingTest {
    @TempDir
    private Path folder;

    @Test
    void readsAFileAgainOnlyWhenItHasChanged() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "one");
        Reloading<String> text = new Reloading<>(List.of(file), () -> read(file));
        assertThat(text.get()).isEqualTo("one").isSameAs(text.get());
        Files.writeString(file, "another");
        assertThat(text.get()).isEqualTo("another");
    }

    @Test
    void keepsTheLastGoodContentUntilThereIsABetterOne() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "one");
        Reloading<String> text = new Reloading<>(List.of(file), () -> read(file));
        Files.delete(file);
        assertThat(text.get()).isEqualTo("one");
        Files.writeString(file, "back again");
        assertThat(text.get()).isEqualTo("back again");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
