package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PhaseTest {
    @Test
    void spacesRecordsEvenly() {
        Phase constant = new Phase(100, 100, 10);

        assertThat(constant.records()).isEqualTo(1000);
        assertThat(constant.time(0)).isZero();
        assertThat(constant.time(250)).isEqualTo(2.5);
        assertThat(constant.due(2.5)).isEqualTo(250);
        assertThat(constant.due(99)).isEqualTo(1000);
    }

    @Test
    void risesAndFallsEvenly() {
        for (Phase ramp : List.of(new Phase(0, 200, 10), new Phase(200, 0, 10))) {
            assertThat(ramp.records()).isEqualTo(1000);
            for (long number = 0; number <= 1000; number += 100) {
                assertThat(ramp.due(ramp.time(number)))
                        .as("%s %d", ramp, number)
                        .isCloseTo((double) number, within(1e-6));
            }
        }
    }

    @Test
    void countsWhatIsDueOfSeveral() {
        List<Phase> phases = List.of(new Phase(10, 10, 5), new Phase(100, 100, 5));

        assertThat(Phase.seconds(phases)).isEqualTo(10);
        assertThat(Phase.due(phases, 2)).isEqualTo(20);
        assertThat(Phase.due(phases, 6)).isEqualTo(150);
        assertThat(Phase.due(phases, 60)).isEqualTo(550);
        assertThat(Phase.due(phases, -1)).isZero();
    }

    @Test
    void needsTime() {
        assertThatThrownBy(() -> new Phase(10, 10, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a phase needs seconds above 0 and no negative rate");
    }
}
