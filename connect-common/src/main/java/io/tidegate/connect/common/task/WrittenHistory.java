package io.tidegate.connect.common.task;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a partition was written at some times in the past: a bounded number of samples. Times are those of one clock's
 * {@code nanoTime}. Task thread only.
 */
final class WrittenHistory {
    /** With more samples, every second one is dropped. The answers then reach further back than asked. */
    static final int MOST = 128;

    private record Sample(long next, long at) {}

    private final List<Sample> samples = new ArrayList<>(); // in order of time and offset; never empty

    /** Begins with a partition of which nothing is written from this offset on. */
    WrittenHistory(long next, long at) {
        samples.add(new Sample(next, at));
    }

    /** Everything below this offset was written at that time, which is after all earlier ones. */
    void add(long next, long at) {
        Sample last = samples.get(samples.size() - 1);
        if (next == last.next()) {
            return;
        }
        while (samples.size() > 1 && samples.get(samples.size() - 1).next() > next) {
            samples.remove(samples.size() - 1); // the consumer was set back, and writes these again
        }
        samples.add(new Sample(next, at));
        if (samples.size() > MOST) {
            for (int i = samples.size() - 2; i > 0; i -= 2) {
                samples.remove(i);
            }
        }
    }

    /** Forgets what is not needed to answer for this time and later ones. */
    void forgetBefore(long since) {
        while (samples.size() > 1 && samples.get(1).at() - since <= 0) {
            samples.remove(0);
        }
    }

    /** The lowest offset that is remembered. */
    long earliest() {
        return samples.get(0).next();
    }

    /** An offset such that everything that was written since that time is at or above it, as far as is remembered. */
    long at(long since) {
        long next = earliest();
        for (Sample sample : samples) {
            if (sample.at() - since <= 0) {
                next = sample.next();
            }
        }
        return next;
    }

    int size() {
        return samples.size();
    }
}
