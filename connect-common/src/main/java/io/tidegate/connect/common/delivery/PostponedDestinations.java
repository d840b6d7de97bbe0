package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.metrics.PublishedMetrics;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destinations of a task for which the server accepts nothing now, whichever lane noticed it. This class logs and
 * measures them. A destination that stays so is logged once, then at doubling intervals, then when it is over; meanwhile
 * it has metrics. Any thread.
 */
public final class PostponedDestinations {
    private static final Logger log = LoggerFactory.getLogger(PostponedDestinations.class);

    /** A destination that is unavailable for a shorter time is not logged. */
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    /** If there are more destinations at a time, they are only counted: a task may have thousands. */
    static final int MOST_LOGGED = 8;

    /** Shows numbers of one destination to operators, until they are closed. */
    @FunctionalInterface
    public interface Display {
        PublishedMetrics show(String destination, List<Metric> numbers);
    }

    private final String target;
    private final Clock clock;
    private final Map<String, State> states = new HashMap<>(); // guarded by this
    private int logged; // how many of the states were logged; guarded by this
    private long bytes; // guarded by this
    private Optional<Display> display = Optional.empty(); // guarded by this

    private static final class State {
        private final long since;
        private long reportAt;
        private Duration interval = FIRST_INTERVAL;
        private int lanes;
        private long records;
        private String reason = "";
        private boolean isLogged;
        private Optional<PublishedMetrics> shown = Optional.empty();

        State(long since) {
            this.since = since;
            this.reportAt = since + FIRST_INTERVAL.toNanos();
        }
    }

    /**
     * The destinations of one task.
     *
     * @param target names the server in messages
     */
    public PostponedDestinations(String target, Clock clock) {
        this.target = requireNonNull(target, "target");
        this.clock = requireNonNull(clock, "clock");
    }

    /** From now on each destination that is logged is also shown. */
    public synchronized void showTo(Display shown) {
        display = Optional.of(shown);
    }

    /** Shows nothing any more. */
    public void close() {
        List<State> all;
        synchronized (this) {
            display = Optional.empty();
            all = List.copyOf(states.values());
        }
        all.forEach(this::hide);
    }

    /** Not under the lock: a thread that reads metrics may hold other locks. */
    private void show(String destination, State state, Display on) {
        PublishedMetrics metrics = on.show(destination, numbers(state));
        boolean isWanted;
        synchronized (this) {
            isWanted = display.isPresent() && states.get(destination) == state;
            state.shown = isWanted ? Optional.of(metrics) : Optional.empty();
        }
        if (!isWanted) {
            metrics.close();
        }
    }

    private void hide(State state) {
        Optional<PublishedMetrics> shown;
        synchronized (this) {
            shown = state.shown;
            state.shown = Optional.empty();
        }
        shown.ifPresent(PublishedMetrics::close);
    }

    private List<Metric> numbers(State state) {
        return List.of(
                new Metric(
                        "destination-postponed-ms",
                        "ms",
                        "How long the server has accepted nothing for this destination.",
                        () -> Duration.ofNanos(clock.nanoTime() - state.since).toMillis()),
                new Metric(
                        "destination-postponed-records",
                        "records",
                        "Records that wait for this destination.",
                        () -> records(state)));
    }

    private synchronized long records(State state) {
        return state.records;
    }

    /**
     * A lane begins to postpone documents.
     *
     * @param nanos how long it has waited for the destination before
     */
    synchronized void begins(String destination, long nanos) {
        states.computeIfAbsent(destination, each -> new State(clock.nanoTime() - nanos)).lanes++;
    }

    /**
     * A lane tried again and failed.
     *
     * @param tried how many documents, which wait again
     */
    void failed(String destination, String reason, int tried) {
        State state;
        Optional<Display> on = Optional.empty();
        synchronized (this) {
            state = states.get(destination);
            boolean wasLogged = state.isLogged;
            log(destination, state, reason, tried);
            if (state.isLogged && !wasLogged) {
                on = display;
            }
        }
        if (on.isPresent()) {
            show(destination, state, on.get());
        }
    }

    /** Under the lock. */
    private void log(String destination, State state, String reason, int tried) {
        state.reason = reason;
        long now = clock.nanoTime();
        if (now - state.reportAt < 0 || (!state.isLogged && logged >= MOST_LOGGED)) {
            return;
        }
        if (!state.isLogged) {
            state.isLogged = true;
            logged++;
        }
        state.reportAt = now + state.interval.multipliedBy(2).toNanos();
        state.interval = state.interval.multipliedBy(2);
        log.warn(
                "{} accepts no writes to {}: {} records have waited for {} s; {} more destinations wait; {}",
                target,
                destination,
                state.records + tried,
                Duration.ofNanos(now - state.since).toSeconds(),
                states.size() - 1,
                reason);
    }

    /** A lane postpones this many more documents, or fewer. */
    synchronized void postponed(String destination, int documents, long bytesHeld) {
        State state = states.get(destination);
        state.records += documents;
        bytes += bytesHeld;
    }

    /** A lane no longer postpones anything for this destination. */
    void ends(String destination) {
        State state;
        synchronized (this) {
            state = states.get(destination);
            state.lanes--;
            if (state.lanes > 0) {
                return;
            }
            states.remove(destination);
            logEnd(destination, state);
        }
        hide(state);
    }

    /** Under the lock. */
    private void logEnd(String destination, State state) {
        if (state.isLogged) {
            logged--;
            log.info(
                    "{}: nothing waits for {} any more, after {} s",
                    target,
                    destination,
                    Duration.ofNanos(clock.nanoTime() - state.since).toSeconds());
        }
    }

    /** The reason of the destination's last failure. */
    synchronized String reason(String destination) {
        return states.get(destination).reason;
    }

    String target() {
        return target;
    }

    /** The number of destinations. */
    public synchronized int count() {
        return states.size();
    }

    /** Bytes of the documents that are postponed, an estimate. */
    public synchronized long bytes() {
        return bytes;
    }
}
