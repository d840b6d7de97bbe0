package io.tidegate.connect.bench.workload;

import java.util.List;

/**
 * A part of a load. Its rate is constant, or rises or falls evenly.
 *
 * @param from records/s at its start; if it and {@code to} are 0, the phase is unbounded: as fast as possible
 * @param to records/s at its end
 * @param seconds its length, above 0
 */
public record Phase(double from, double to, double seconds) {
    public Phase {
        if (!(from >= 0 && to >= 0 && seconds > 0)) {
            throw new IllegalArgumentException("a phase needs seconds above 0 and no negative rate");
        }
    }

    public boolean isUnbounded() {
        return from == 0 && to == 0;
    }

    /** The number of records that are due when the given seconds have passed since its start. */
    public double due(double elapsed) {
        double time = Math.min(Math.max(elapsed, 0), seconds);
        return from * time + (to - from) * time * time / (2 * seconds);
    }

    /** The seconds from the start until a record is due. The first record has the number 0. */
    public double time(long number) {
        double slope = (to - from) / seconds;
        if (Math.abs(slope) < 1e-9) {
            return number / from;
        }
        return (Math.sqrt(Math.max(0, from * from + 2 * slope * number)) - from) / slope;
    }

    /** The number of its records; 0 if it is unbounded. */
    public long records() {
        return isUnbounded() ? 0 : (long) Math.floor(due(seconds));
    }

    /** The number of records of consecutive phases that are due when the given seconds have passed. */
    public static long due(List<Phase> phases, double elapsed) {
        double left = elapsed;
        long due = 0;
        for (Phase phase : phases) {
            due += (long) Math.floor(phase.due(left));
            left -= phase.seconds;
        }
        return due;
    }

    /** Seconds of all phases together. */
    public static double seconds(List<Phase> phases) {
        return phases.stream().mapToDouble(Phase::seconds).sum();
    }
}
