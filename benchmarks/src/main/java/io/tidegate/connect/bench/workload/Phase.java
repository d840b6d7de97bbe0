package io.tidegate.connect.bench.workload;

/**
 * A stretch of load whose rate is constant or rises or falls evenly.
 *
 * @param from records/s at its begin; 0 with {@code to} 0 for as many as the producer can send
 * @param to records/s at its end
 * @param counted whether its latencies count; a warm-up's do not
 */
record Phase(String name, double from, double to, double seconds, boolean counted) {
    boolean isUnbounded() {
        return from == 0 && to == 0;
    }

    /** Records that are due within so many seconds of its begin. */
    double due(double elapsed) {
        double time = Math.min(Math.max(elapsed, 0), seconds);
        return from * time + (to - from) * time * time / (2 * seconds);
    }

    /** When the record of that number, counted from 0, is due: the moment that {@link #due} has grown past it. */
    double time(long number) {
        double slope = (to - from) / seconds;
        if (Math.abs(slope) < 1e-9) {
            return number / from;
        }
        return (Math.sqrt(Math.max(0, from * from + 2 * slope * number)) - from) / slope;
    }

    /** How many records it has; none are counted ahead where it is unbounded. */
    long records() {
        return isUnbounded() ? 0 : (long) Math.floor(due(seconds));
    }
}
