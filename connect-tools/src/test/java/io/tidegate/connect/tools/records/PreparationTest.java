package io.tidegate.connect.tools.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

final class PreparationTest {
    private int attempts;

    private Preparation failing(int times) {
        return new Preparation(
                records -> {
                    if (attempts++ < times) {
                        throw new RetriableException("no schema 7");
                    }
                },
                Duration.ZERO);
    }

    @Test
    void triesAgainForAWhile() throws ToolException, InterruptedException {
        failing(3).prepare(List.of());

        assertThat(attempts).isEqualTo(4);
    }

    @Test
    void endsTheCommandWithWhatIsMissing() {
        assertThatThrownBy(() -> failing(1_000).prepare(List.of()))
                .isInstanceOf(ToolException.class)
                .hasMessage("what the records need cannot be fetched: no schema 7");
        assertThat(attempts).isEqualTo(15);
    }
}
