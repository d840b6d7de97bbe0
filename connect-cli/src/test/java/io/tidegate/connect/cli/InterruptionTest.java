package io.tidegate.connect.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InterruptionTest {
    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    void aStepIsRunToItsEndAndTheInterruptionIsKept() throws Exception {
        Path file = folder.resolve("results");
        Thread.currentThread().interrupt();

        Interruption.defer(() -> {
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {1, 2}));
            } catch (IOException e) {
                throw new ToolException(e.toString(), e);
            }
        });

        assertThat(file).hasSize(2);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void theCallerGetsTheFailureOfAStep() {
        assertThatThrownBy(() -> Interruption.defer(() -> {
                    throw new ToolException("the disk is full");
                }))
                .isInstanceOf(ToolException.class)
                .hasMessage("the disk is full");
    }
}
