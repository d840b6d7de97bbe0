package io.tidegate.connect.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class SlidingWindowTest {
    private static final Percentage ABOUT = Percentage.withPercentage(1);

    private long now = -5; // System.nanoTime() may be negative
    private final SlidingWindow values = new SlidingWindow(() -> now);

    private double read(String suffix) {
        return values.metrics("latency-ms", "ms", 1_000, "Time of something").stream()
                .filter(metric -> metric.name().equals("latency-ms-" + suffix))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .sum();
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void tellsAverageMedianPercentileAndMaximumInTheUnitOfTheMetric() {
        for (int value = 1; value <= 1_000; value++) {
            values.record(value * 1_000L);
        }

        assertThat(read("avg")).isCloseTo(500.5, ABOUT);
        assertThat(read("p50")).isCloseTo(500, ABOUT);
        assertThat(read("p99")).isCloseTo(990, ABOUT);
        assertThat(read("max")).isEqualTo(1_000);
    }

    @Test
    void namesEachMetricWithUnitAndDescription() {
        List<Metric> metrics = values.metrics("latency-ms", "ms", 1_000, "Time of something");

        assertThat(metrics)
                .extracting(Metric::name)
                .containsExactly("latency-ms-avg", "latency-ms-p50", "latency-ms-p99", "latency-ms-max");
        assertThat(metrics).extracting(Metric::unit).containsOnly("ms");
        assertThat(metrics.get(2).description()).isEqualTo("Time of something: 99th percentile.");
    }

    @Test
    void isNotANumberWithoutValues() {
        assertThat(read("avg")).isNaN();
        assertThat(read("max")).isNaN();
    }

    @Test
    void keepsAValueForHalfAMinuteAndForgetsItAfterAWholeOne() {
        values.record(7_000);
        pass(30);
        values.record(9_000);

        assertThat(read("avg")).isCloseTo(8, ABOUT);
        pass(29);
        assertThat(read("avg")).isCloseTo(8, ABOUT);
        pass(1);
        assertThat(read("avg")).isCloseTo(9, ABOUT);
        pass(30);
        assertThat(read("avg")).isNaN();
    }

    @Test
    void forgetsEverythingAfterALongSilence() {
        values.record(7_000);
        pass(90);
        values.record(9_000);

        assertThat(read("avg")).isCloseTo(9, ABOUT);
    }

    @Test
    void takesValuesOfAnySize() {
        values.record(-3);
        assertThat(read("max")).isZero();

        values.record(TimeUnit.DAYS.toNanos(365));
        assertThat(read("max")).isCloseTo(TimeUnit.DAYS.toNanos(365) / 1_000.0, ABOUT);
        assertThat(read("p50")).isCloseTo(0, within(0.001));
    }
}
