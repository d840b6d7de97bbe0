package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RateMeterTest {
    private final RateMeter meter = new RateMeter();

    @Test
    void beginsAtZero() {
        assertThat(meter.rate(Duration.ZERO, 0)).isZero();
        assertThat(meter.rate(Duration.ofSeconds(1), 100)).isEqualTo(100);
    }

    @Test
    void forgetsWhatIsLongAgo() {
        for (int second = 1; second <= 10; second++) {
            meter.rate(Duration.ofSeconds(second), 1000L * second);
        }

        assertThat(meter.rate(Duration.ofSeconds(13), 10_000)).isLessThan(300);
        assertThat(meter.rate(Duration.ofSeconds(17), 10_000)).isZero();
    }
}
