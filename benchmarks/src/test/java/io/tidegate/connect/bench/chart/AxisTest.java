package io.tidegate.connect.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AxisTest {
    @Test
    void endsAxesAtRoundNumbers() {
        assertThat(Axis.upTo(98_262, 0, 0, 100).top()).isEqualTo(100_000);
        assertThat(Axis.upTo(98_262, 0, 0, 100).label(20_000)).isEqualTo("20k");
        assertThat(Axis.upTo(0, 0, 0, 100).top()).isEqualTo(1);
        assertThat(Axis.upTo(365, 0, 0, 100).label(100)).isEqualTo("100");
        assertThat(Axis.upTo(2_400_000, 0, 0, 100).label(500_000)).isEqualTo("0.5M");
        assertThat(Axis.upTo(0.037, 0, 0, 100).label(0.01)).isEqualTo("0.01");
    }
}
