package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SteadyRateTest {
    private final SteadyRate steady = new SteadyRate(10_000);

    @Test
    void leavesOutTheStartAndTheEnd() {
        steady.sample(Duration.ofSeconds(4), 1_000);
        for (int tenths = 1; tenths <= 80; tenths++) {
            steady.sample(Duration.ofSeconds(4).plusMillis(100L * tenths), 1_000 + 100L * tenths);
        }
        steady.sample(Duration.ofSeconds(60), 10_000);

        assertThat(steady.rate()).hasValue(1_000);
    }

    @Test
    void findsTheTimesBetweenTwoSamples() {
        for (int sample = 1; sample <= 14; sample++) {
            steady.sample(Duration.ofSeconds(sample), 700L * sample);
        }

        assertThat(steady.rate()).hasValue(700);
    }

    @Test
    void isUnknownBeforeTheSteadyPartIsOver() {
        for (int sample = 1; sample <= 100; sample++) {
            steady.sample(Duration.ofSeconds(sample), 89L * sample);
        }

        assertThat(steady.rate()).isEmpty();
    }

    @Test
    void isUnknownIfTheRunWasTooShortToMeasure() {
        steady.sample(Duration.ofMillis(100), 3_000);
        steady.sample(Duration.ofMillis(200), 10_000);

        assertThat(steady.rate()).isEmpty();
    }
}
