package io.tidegate.connect.quickstart;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Computes the records per second over the last few seconds, from a sample every half second. */
final class RateMeter {
    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final Duration STEP = Duration.ofMillis(500);

    private final Deque<Sample> samples = new ArrayDeque<>();

    RateMeter() {
        samples.add(new Sample(Duration.ZERO, 0));
    }

    /** @param elapsed since the first record was produced; must not decrease */
    long rate(Duration elapsed, long records) {
        while (samples.size() > 1 && samples.getFirst().elapsed().plus(WINDOW).compareTo(elapsed) < 0) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        double seconds = elapsed.minus(first.elapsed()).toNanos() / 1e9;
        if (samples.getLast().elapsed().plus(STEP).compareTo(elapsed) <= 0) {
            samples.addLast(new Sample(elapsed, records));
        }
        return seconds <= 0 ? 0 : Math.round((records - first.records()) / seconds);
    }

    private record Sample(Duration elapsed, long records) {}
}
