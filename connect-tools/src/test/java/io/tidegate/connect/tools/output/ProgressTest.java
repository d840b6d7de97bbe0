package io.tidegate.connect.tools.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private long now;

    @Test
    void estimatesTheRestAndClearsItsLine() {
        Progress progress = progress(true);
        now = TimeUnit.SECONDS.toNanos(10);
        progress.add(1_000);
        assertThat(shown()).isEqualTo("\rreading records: 1,000 of 10,000 (10 %), about 1:30 left");

        progress.close();
        assertThat(shown()).endsWith("\r" + " ".repeat(56) + "\r");
    }

    @Test
    void printsNothingWithoutATerminal() {
        try (Progress progress = progress(false)) {
            now = TimeUnit.SECONDS.toNanos(10);
            progress.add(1_000);
        }
        assertThat(shown()).isEmpty();
    }

    private Progress progress(boolean isShown) {
        return new Progress(new PrintStream(terminal, true, UTF_8), isShown, () -> now, "reading records", 10_000);
    }

    private String shown() {
        return terminal.toString(UTF_8);
    }
}
