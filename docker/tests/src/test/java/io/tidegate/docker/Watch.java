package io.tidegate.docker;

import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.docker.Store.StoreException;
import io.tidegate.docker.Workers.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Checks the stores, the tasks and the connections to PostgreSQL twice a second. Each check has a separate thread, so a
 * server that does not respond does not delay the other checks.
 */
final class Watch implements AutoCloseable {
    private static final int INTERVAL_MS = 500;

    private final ScheduledExecutorService threads;
    private final List<Future<?>> looking;
    private final Map<String, Progress> progress = new LinkedHashMap<>();
    private final Set<String> failures = new ConcurrentSkipListSet<>();
    private volatile long mostConnections;

    Watch(Ha ha) {
        List<Runnable> looks = new ArrayList<>();
        for (Store store : ha.stores()) {
            Progress of = new Progress(store);
            progress.put(store.name(), of);
            looks.add(of::look);
        }
        looks.add(() -> lookAtTasks(ha.workers()));
        looks.add(() -> ha.connections().ifPresent(now -> mostConnections = Math.max(mostConnections, now)));
        threads = Executors.newScheduledThreadPool(looks.size());
        looking = looks.stream()
                .<Future<?>>map(look -> threads.scheduleWithFixedDelay(look, 0, INTERVAL_MS, TimeUnit.MILLISECONDS))
                .toList();
    }

    private void lookAtTasks(Workers workers) {
        for (Task task : workers.tasks()) {
            if (task.state().equals("FAILED")) {
                failures.add(task.name() + ": " + task.trace());
            }
        }
    }

    /**
     * Discards what was observed so far.
     *
     * @throws IllegalStateException if one of the threads has ended
     */
    void begin() {
        if (looking.stream().anyMatch(Future::isDone)) {
            throw new IllegalStateException("a thread that watches has ended: " + looking);
        }
        progress.values().forEach(Progress::begin);
        failures.clear();
        mostConnections = 0;
    }

    /** The longest time without progress since {@link #begin}, in seconds, by the store's name. */
    Map<String, Long> standstills() {
        Map<String, Long> seconds = new LinkedHashMap<>();
        progress.forEach((name, of) -> seconds.put(name, of.longestSeconds()));
        return seconds;
    }

    /** Waits for this time, or until a task fails. */
    void watchFor(Duration time) {
        Poll.until(() -> !failures.isEmpty(), time);
    }

    /** Every task that was seen in state FAILED, with its trace. */
    Set<String> failures() {
        return Set.copyOf(failures);
    }

    /** The highest number of the sinks' connections at one time. */
    long mostConnections() {
        return mostConnections;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static final class Progress {
        private final Store store;
        private long count;
        private long grownAt = System.nanoTime();
        private long longest;

        Progress(Store store) {
            this.store = store;
        }

        void look() {
            count().ifPresent(this::saw);
        }

        private Optional<Long> count() {
            try {
                return Optional.of(store.count());
            } catch (StoreException e) {
                return Optional.empty();
            }
        }

        private synchronized void saw(long now) {
            if (now > count) {
                count = now;
                longest = longestNow();
                grownAt = System.nanoTime();
            }
        }

        private long longestNow() {
            return Math.max(longest, System.nanoTime() - grownAt);
        }

        synchronized void begin() {
            grownAt = System.nanoTime();
            longest = 0;
        }

        /** Includes the present time without progress. */
        synchronized long longestSeconds() {
            return Math.round(longestNow() / (double) TimeUnit.SECONDS.toNanos(1));
        }
    }
}
