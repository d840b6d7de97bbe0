package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A phase with a rising rate. It finds the rate from which on, until the end of the phase, records are accepted or
 * stored more than {@value #MAX_LATE_SECONDS} s late.
 *
 * @param begin the start of the phase, in the seconds of the samples
 * @param before the number of records that were due before the phase
 */
record Ramp(LoadPhase phase, double begin, long before) {
    private static final double MAX_LATE_SECONDS = 1;

    /** The rising phases of a load. The list ends before an unbounded phase, because its record count is unknown. */
    static List<Ramp> of(List<LoadPhase> phases, double begin) {
        List<Ramp> ramps = new ArrayList<>();
        double from = begin;
        long before = 0;
        for (LoadPhase phase : phases) {
            if (phase.shape().isUnbounded()) {
                return ramps;
            }
            if (phase.counted() && phase.shape().to() > phase.shape().from()) {
                ramps.add(new Ramp(phase, from, before));
            }
            from += phase.shape().seconds();
            before += phase.shape().records();
        }
        return ramps;
    }

    /** Describes the limit that was found; empty if the load ended before the phase. */
    Optional<String> finding(List<Sample> samples) {
        List<Sample> within = samples.stream()
                .filter(sample -> sample.seconds() >= begin && sample.seconds() <= end())
                .toList();
        if (within.size() < 2 || samples.get(samples.size() - 1).seconds() < end()) {
            return Optional.empty();
        }
        OptionalDouble accepted = lateFrom(within, Sample::accepted);
        OptionalDouble stored = lateFrom(within, Sample::stored);
        if (stored.isEmpty()) {
            return Optional.of(sentence(
                    "no limit found: up to %,.0f records/s at its end, all records were stored within %.0f s",
                    phase.shape().to(), MAX_LATE_SECONDS));
        }
        if (accepted.isPresent() && accepted.getAsDouble() <= stored.getAsDouble()) {
            return Optional.of(sentence(
                    "the generator or the broker was the limit: from %,.0f records/s on, %.0f s into the phase,"
                            + " records were accepted more than %.0f s late, so this is no limit of the sink",
                    rate(accepted.getAsDouble()), accepted.getAsDouble(), MAX_LATE_SECONDS));
        }
        Sample last = within.get(within.size() - 1);
        return Optional.of(sentence(
                "the sink was more than %.0f s late from %,.0f records/s on, %.0f s into the phase; from then on it"
                        + " stored %,.0f records/s, and was %.1f s late at the end",
                MAX_LATE_SECONDS,
                rate(stored.getAsDouble()),
                stored.getAsDouble(),
                storedPerSecond(within, begin + stored.getAsDouble()),
                behind(last, Sample::stored)));
    }

    private String sentence(String format, Object... figures) {
        return phase.name() + ": " + Figures.format(format, figures) + ".";
    }

    private double end() {
        return begin + phase.shape().seconds();
    }

    private double rate(double elapsed) {
        Phase shape = phase.shape();
        return shape.from() + (shape.to() - shape.from()) * elapsed / shape.seconds();
    }

    /** The rate from the last sample before that time on, so that the interval is never empty. */
    private static double storedPerSecond(List<Sample> within, double from) {
        Sample last = within.get(within.size() - 1);
        Sample first = within.get(0);
        for (Sample sample : within) {
            if (sample.seconds() < from) {
                first = sample;
            }
        }
        return (last.stored() - first.stored()) / (last.seconds() - first.seconds());
    }

    /** The seconds into the phase after which records were late until its end; empty if they were not. */
    private OptionalDouble lateFrom(List<Sample> within, ToLongFunction<Sample> counter) {
        OptionalDouble from = OptionalDouble.empty();
        for (Sample sample : within) {
            if (behind(sample, counter) <= MAX_LATE_SECONDS) {
                from = OptionalDouble.empty();
            } else if (from.isEmpty()) {
                from = OptionalDouble.of(sample.seconds() - begin);
            }
        }
        return from;
    }

    /** The number of seconds since the last counted record was due. */
    private double behind(Sample sample, ToLongFunction<Sample> counter) {
        long counted = counter.applyAsLong(sample) - before;
        return sample.seconds() - begin - (counted > 0 ? phase.shape().time(counted) : 0);
    }
}
