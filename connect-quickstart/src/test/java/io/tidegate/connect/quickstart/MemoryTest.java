package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Sink;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryTest {
    @Test
    void needsLessForFewerSinks() {
        assertThat(Memory.neededMb(List.of(Sink.JSONB))).isLessThan(Memory.neededMb(List.of(Sink.ES)));
        assertThat(Memory.neededMb(List.of(Sink.ES))).isLessThan(Memory.neededMb(List.of(Sink.JSONB, Sink.ES)));
    }

    @Test
    void refusesABusyMachineInOneLine() {
        assertThatThrownBy(() -> Memory.check(3000, 2999, ", or start fewer with --sinks"))
                .isInstanceOf(ToolException.class)
                .hasMessage("not enough memory: the servers need about 3000 MB and only 2999 MB are available;"
                        + " stop something, or start fewer with --sinks");
        assertThatCode(() -> Memory.check(3000, 3000, "")).doesNotThrowAnyException();
    }

    @Test
    void readsWhatTheKernelSaysIsAvailable() {
        assertThat(Memory.availableMb(List.of("MemTotal: 99 kB", "MemAvailable:    4194304 kB"), 1))
                .isEqualTo(4096);
        assertThat(Memory.availableMb(List.of("MemTotal: 99 kB"), 7)).isEqualTo(7);
    }
}
