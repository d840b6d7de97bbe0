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
 * Looks twice a second at how much is stored, at the tasks and at the connections to PostgreSQL, each with its own thread,
 * so that a server that does not answer hides nothing of the others.
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
     * Forgets what it has seen.
     *
     * @throws IllegalStateException if it does not see everything any more
     */
    void begin() {
        if (looking.stream().anyMatch(Future::isDone)) {
            throw new IllegalStateException("a thread that watched has ended: " + looking);
        }
        progress.values().forEach(Progress::begin);
        failures.clear();
        mostConnections = 0;
    }

    /** Of each store, by its name: the longest time since {@link #begin} in which nothing was added, in seconds. */
    Map<String, Long> standstills() {
        Map<String, Long> seconds = new LinkedHashMap<>();
        progress.forEach((name, of) -> seconds.put(name, of.longestSeconds()));
        return seconds;
    }

    /** Lets so much time pass, or less when a task fails. */
    void watchFor(Duration time) {
        Poll.until(() -> !failures.isEmpty(), time);
    }

    /** Every task that was seen FAILED, with its trace. */
    Set<String> failures() {
        return Set.copyOf(failures);
    }

    /** The most connections of the sinks at once. */
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

        /** What is still going on counts as well. */
        synchronized long longestSeconds() {
            return Math.round(longestNow() / (double) TimeUnit.SECONDS.toNanos(1));
        }
    }
}
