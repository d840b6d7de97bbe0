package io.tidegate.connect.bench.workload;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes when the transactions of a PostgreSQL server become visible to others: its thread asks every 2 ms. A time is
 * thus at most one question late. The other methods are for any thread.
 */
public final class CommitWatch implements AutoCloseable {
    private static final long INTERVAL_NANOS = 2_000_000;
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** The part of a transaction's number that {@code xmin} holds. */
    private static final long XID = 0xFFFF_FFFFL;

    private static final String QUESTION = "SELECT pg_current_snapshot()::text";

    private final PostgresQueries queries;
    private final Map<Long, Long> visible = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::run, "commit-watch");

    private final AtomicLong looks = new AtomicLong();
    private volatile double cpuSeconds;
    private volatile Optional<ToolException> end = Optional.empty();

    /** The next two are of the thread only. */
    private final Set<Long> invisible = new HashSet<>();

    private long next;

    /**
     * Starts to watch.
     *
     * @param queries a session that only this object uses, and closes
     */
    public CommitWatch(PostgresQueries queries) throws ToolException {
        this.queries = queries;
        next = Long.parseLong(ask().get(1));
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                look();
                LockSupport.parkNanos(INTERVAL_NANOS);
            }
        } catch (ToolException e) {
            end = Optional.of(e);
        }
    }

    /**
     * Call it before times are used: without the watch's session, transactions have none.
     *
     * @throws ToolException if the watch has ended
     */
    public void requireRunning() throws ToolException {
        if (end.isPresent()) {
            throw new ToolException(
                    "the times of commits are unknown: " + end.get().getMessage(), end.get());
        }
    }

    /** The server's snapshot: the lowest running transaction, the next one, and all that run between, by commas. */
    private List<String> ask() throws ToolException {
        return queries.rows(QUESTION, row -> List.of(row.getString(1).split(":", -1)))
                .get(0);
    }

    private void look() throws ToolException {
        List<String> now = ask();
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        cpuSeconds = queries.cpuSeconds();
        for (long end = Long.parseLong(now.get(1)); next < end; next++) {
            invisible.add(next);
        }
        Set<String> running = Set.of(now.get(2).split(",", -1));
        invisible.removeIf(xid -> {
            if (running.contains(xid.toString())) {
                return false;
            }
            visible.put(xid & XID, micros);
            return true;
        });
        looks.incrementAndGet();
    }

    /** When the rows with this {@code xmin} became visible, in microseconds since 1970; empty if that was not seen. */
    public Optional<Long> visibleMicros(long xmin) {
        long whole = looks.get() + 2; // the next may have begun
        Poll.until(() -> visible.containsKey(xmin) || looks.get() >= whole || end.isPresent(), LOOK);
        return Optional.ofNullable(visible.get(xmin));
    }

    /** The CPU time that the server has spent on this session, in seconds. */
    public double cpuSeconds() {
        return cpuSeconds;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        queries.close();
    }
}
