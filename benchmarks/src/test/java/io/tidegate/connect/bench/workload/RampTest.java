package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RampTest {
    private static final double BEGIN = 3;
    private static final LoadPhase WARM_UP = new LoadPhase("warm-up", new Phase(100, 100, 10), false);
    private static final LoadPhase RISING = new LoadPhase("rising", new Phase(0, 10_000, 100), true);
    private static final List<LoadPhase> LOAD = List.of(WARM_UP, RISING);

    @Test
    void saysTheRateFromWhichOnTheSinkIsLate() {
        assertThat(finding(due -> due, due -> stored(due, 6_000)))
                .singleElement()
                .asString()
                .matches("rising: the sink was more than 1 s late from 7,\\d+ records/s on, 7\\d s into the phase; from"
                        + " then on it stored (5,9|6,0)\\d\\d records/s, and was \\d\\.\\d s late at the"
                        + " end\\.");
    }

    @Test
    void findsARateAlsoWhereTheSinkIsLateAtTheLastLookOnly() {
        assertThat(finding(due -> due, due -> stored(due, 8_580)))
                .singleElement()
                .asString()
                .matches("rising: the sink was more than 1 s late from 10,000 records/s on, 100 s into the phase; from"
                        + " then on it stored 8,5\\d\\d records/s, and was 1\\.0 s late at the end\\.");
    }

    @Test
    void doesNotBlameTheSinkForWhatItWasNotGiven() {
        assertThat(finding(due -> stored(due, 4_000), due -> stored(due, 4_000)))
                .singleElement()
                .asString()
                .startsWith("rising: the generator or the broker was the limit: from 5,")
                .endsWith("no limit of the sink.");
    }

    @Test
    void saysThatNothingBroke() {
        assertThat(finding(due -> due, due -> Math.max(0, due - 100)))
                .containsExactly(
                        "rising: no limit found: up to 10,000 records/s at its end, all records were stored within 1"
                                + " s.");
    }

    @Test
    void saysNothingOfALoadThatWasBrokenOffOrDoesNotRise() {
        List<Sample> samples = samples(due -> due, due -> due);
        assertThat(Ramp.of(LOAD, BEGIN).get(0).finding(samples.subList(0, samples.size() / 2)))
                .isEmpty();
        assertThat(Ramp.of(List.of(WARM_UP, new LoadPhase("falling", new Phase(10, 1, 5), true)), BEGIN))
                .isEmpty();
        assertThat(Ramp.of(List.of(new LoadPhase("unbounded", new Phase(0, 0, 5), true), RISING), BEGIN))
                .isEmpty();
    }

    /** As much as a sink has done that does no more than so many a second. */
    private static long stored(long due, long perSecond) {
        double atLimit = 10.0 + perSecond / 100.0;
        long untilThen = Phase.due(shapes(), atLimit);
        return due <= untilThen ? due : untilThen + (long) ((seconds(due) - atLimit) * perSecond);
    }

    private static double seconds(long due) {
        return 10 + RISING.shape().time(due - WARM_UP.shape().records());
    }

    private static List<String> finding(LongUnaryOperator accepted, LongUnaryOperator stored) {
        return Ramp.of(LOAD, BEGIN).stream()
                .flatMap(ramp -> ramp.finding(samples(accepted, stored)).stream())
                .toList();
    }

    private static List<Sample> samples(LongUnaryOperator accepted, LongUnaryOperator stored) {
        List<Sample> samples = new ArrayList<>();
        LongStream.rangeClosed(0, 600).forEach(n -> {
            double elapsed = n * 0.2;
            long due = Phase.due(shapes(), elapsed);
            samples.add(new Sample(BEGIN + elapsed, stored.applyAsLong(due), 0, 0, 0, 0, 0, 0, 0, 0)
                    .withLoad(due, accepted.applyAsLong(due)));
        });
        return samples;
    }

    private static List<Phase> shapes() {
        return LOAD.stream().map(LoadPhase::shape).toList();
    }
}
