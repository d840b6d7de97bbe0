package io.tidegate.connect.bench.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CpuTimeTest {
    @Test
    void countsAllButIdleTime() {
        assertThat(CpuTime.busy("cpu  100 20 30 9999 8888 4 5 6 50 0")).isEqualTo(1.65);
    }

    @Test
    void knowsWhatThisProcessUsed() {
        assertThat(CpuTime.own()).isPositive();
    }
}
