package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A phase whose rate rises, and the rate at which it was too much: from where on records are accepted or stored more than
 * {@value #BEHIND_SECONDS} s after they were due, until the phase's end.
 *
 * @param begin of the phase, in seconds of the samples
 * @param before records that were due before it
 */
record Ramp(LoadPhase phase, double begin, long before) {
    private static final double BEHIND_SECONDS = 1;

    /** Those of a load that rise. None behind a phase without a rate: nobody knows when its records were due. */
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

    /** What a reader wants to know; empty if the load did not come to the phase's end. */
    Optional<String> finding(List<Sample> samples) {
        List<Sample> within = samples.stream()
                .filter(sample -> sample.seconds() >= begin && sample.seconds() <= end())
                .toList();
        if (within.size() < 2 || samples.get(samples.size() - 1).seconds() < end()) {
            return Optional.empty();
        }
        OptionalDouble accepted = behindFrom(within, Sample::accepted);
        OptionalDouble stored = behindFrom(within, Sample::stored);
        if (stored.isEmpty()) {
            return Optional.of(said(
                    "nothing broke: up to its end at %,.0f records/s all were stored within %.0f s",
                    phase.shape().to(), BEHIND_SECONDS));
        }
        if (accepted.isPresent() && accepted.getAsDouble() <= stored.getAsDouble()) {
            return Optional.of(said(
                    "the generator or the broker broke first: from %,.0f records/s on, %.0f s into the phase, records were"
                            + " accepted more than %.0f s late, so this is no limit of the sink",
                    rate(accepted.getAsDouble()), accepted.getAsDouble(), BEHIND_SECONDS));
        }
        Sample last = within.get(within.size() - 1);
        return Optional.of(said(
                "the sink was more than %.0f s late from %,.0f records/s on, %.0f s into the phase; from there it stored"
                        + " %,.0f records/s, and was %.1f s late at the phase's end",
                BEHIND_SECONDS,
                rate(stored.getAsDouble()),
                stored.getAsDouble(),
                storedPerSecond(within, begin + stored.getAsDouble()),
                behind(last, Sample::stored)));
    }

    private String said(String format, Object... figures) {
        return phase.name() + ": " + Figures.format(format, figures) + ".";
    }

    private double end() {
        return begin + phase.shape().seconds();
    }

    private double rate(double elapsed) {
        Phase shape = phase.shape();
        return shape.from() + (shape.to() - shape.from()) * elapsed / shape.seconds();
    }

    /** From the last look before that moment, so that there is a stretch to measure even if it is the phase's end. */
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

    /** Seconds into the phase. */
    private OptionalDouble behindFrom(List<Sample> within, ToLongFunction<Sample> counter) {
        OptionalDouble from = OptionalDouble.empty();
        for (Sample sample : within) {
            if (behind(sample, counter) <= BEHIND_SECONDS) {
                from = OptionalDouble.empty();
            } else if (from.isEmpty()) {
                from = OptionalDouble.of(sample.seconds() - begin);
            }
        }
        return from;
    }

    /** How long ago the last of these records was due. */
    private double behind(Sample sample, ToLongFunction<Sample> counter) {
        long counted = counter.applyAsLong(sample) - before;
        return sample.seconds() - begin - (counted > 0 ? phase.shape().time(counted) : 0);
    }
}
