package io.tidegate.connect.bench.workload;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Notes when the transactions of a PostgreSQL server become visible to others: its thread asks every 2 ms. A time is
 * thus at most one question late. The other methods are for any thread.
 */
public final class CommitWatch implements AutoCloseable {
    private static final long INTERVAL_NANOS = 2_000_000;

    /** The part of a transaction's number that {@code xmin} holds. */
    private static final long XID = 0xFFFF_FFFFL;

    private static final String QUESTION = "SELECT pg_current_snapshot()::text";

    private final PostgresQueries queries;
    private final Map<Long, Long> visible = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::run, "commit-watch");

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
        next = ask().next();
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

    /**
     * What the server answers.
     *
     * @param snapshot the lowest running transaction, the next one, and all that run between
     */
    private record Look(List<String> snapshot) {
        long next() {
            return Long.parseLong(snapshot.get(1));
        }

        Set<Long> running() {
            return Arrays.stream(snapshot.get(2).split(",", -1))
                    .filter(xid -> !xid.isEmpty())
                    .map(Long::valueOf)
                    .collect(Collectors.toSet());
        }
    }

    private Look ask() throws ToolException {
        return queries.rows(QUESTION, row -> new Look(List.of(row.getString(1).split(":", -1))))
                .get(0);
    }

    private void look() throws ToolException {
        Look now = ask();
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        cpuSeconds = queries.cpuSeconds();
        for (; next < now.next(); next++) {
            invisible.add(next);
        }
        Set<Long> running = now.running();
        invisible.removeIf(xid -> {
            if (running.contains(xid)) {
                return false;
            }
            visible.put(xid & XID, micros);
            return true;
        });
    }

    /** When the rows with this {@code xmin} became visible, in microseconds since 1970; empty if that was not seen. */
    public Optional<Long> visibleMicros(long xmin) {
        return Optional.ofNullable(visible.get(xmin));
    }

    /** The CPU time that the server has spent on this session, in seconds. */
    public double cpuSeconds() {
        return cpuSeconds;
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
        queries.close();
    }
}
