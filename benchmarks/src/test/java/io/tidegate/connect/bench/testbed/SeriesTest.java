package io.tidegate.connect.bench.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Sample;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SeriesTest {
    private static final long RECORDS = 1000;

    /** Nothing for two seconds, then 100 records a second, each for 2 ms of the worker's CPU time and 1 ms of the server's. */
    private static List<Sample> steady(long unitsPerRecord, long empty) {
        return IntStream.rangeClosed(0, 12)
                .mapToObj(second -> {
                    long stored = Math.max(0, second - 2) * 100L;
                    return new Sample(
                            second,
                            empty + stored * unitsPerRecord,
                            stored * 0.002,
                            0,
                            stored * 0.001,
                            second * 0.1,
                            50 + second,
                            second % 3,
                            0,
                            0);
                })
                .toList();
    }

    @Test
    void countsFromTheFirstRecordOn() {
        Map<Measure, Double> measures = Series.of(steady(1, 0), RECORDS).measures(RECORDS, RECORDS * 200);

        assertThat(measures.get(Measure.START_SECONDS)).isEqualTo(2);
        assertThat(measures.get(Measure.SECONDS)).isEqualTo(10);
        assertThat(measures.get(Measure.RATE)).isEqualTo(100);
        assertThat(measures.get(Measure.STEADY_RATE)).isCloseTo(100, within(1e-9));
        assertThat(measures.get(Measure.MEGABYTES)).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void chargesEachProcessPerMillionRecords() {
        Map<Measure, Double> measures = Series.of(steady(1, 0), RECORDS).measures(RECORDS, RECORDS * 200);

        assertThat(measures.get(Measure.WORKER_CPU)).isCloseTo(2000, within(1e-6));
        assertThat(measures.get(Measure.SERVER_CPU)).isCloseTo(1000, within(1e-6));
        assertThat(measures.get(Measure.BROKER_CPU)).isZero();
        assertThat(measures.get(Measure.OTHER_CPU)).isCloseTo(10.0 / CpuTime.count(), within(1e-6));
        assertThat(measures.get(Measure.HEAP)).isEqualTo(62);
        assertThat(measures.get(Measure.CONNECTIONS)).isEqualTo(2);
    }

    @Test
    void scalesWhatTheStoreCountsInBytes() {
        Series bytes = Series.of(steady(240, 8192), RECORDS);

        assertThat(bytes.samples()).extracting(Sample::stored).startsWith(0L).endsWith(900L, RECORDS);
        assertThat(bytes.measures(RECORDS, 1).get(Measure.STEADY_RATE)).isCloseTo(100, within(1e-9));
    }

    @Test
    void leavesASlowStartAndEndOutOfTheSteadyPart() {
        List<Sample> samples = List.of(at(0, 0), at(10, 100), at(11, 200), at(18, 900), at(30, 1000));

        Map<Measure, Double> measures = Series.of(samples, RECORDS).measures(RECORDS, 1);

        assertThat(measures.get(Measure.STEADY_RATE)).isCloseTo(100, within(1e-9));
        assertThat(measures.get(Measure.RATE)).isCloseTo(1000 / 30.0, within(1e-9));
    }

    private static Sample at(double seconds, long stored) {
        return new Sample(seconds, stored, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
