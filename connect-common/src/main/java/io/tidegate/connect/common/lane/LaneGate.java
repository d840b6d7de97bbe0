package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Knows which documents a lane is sending to the server now. It keeps revoked documents out of an attempt, and lets the
 * task thread wait until no attempt contains one. The delivery calls it on the lane's thread; the task thread revokes.
 */
final class LaneGate implements Delivery.Gate {
    /** How long a wait lasts at most until its reason is checked again. It is woken before that. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Clock clock;
    private final LaneMonitor monitor;

    private List<Document> attempted = List.of(); // guarded by monitor
    private boolean isCancelled; // the last attempt, by the task; guarded by monitor
    private boolean revokedSince; // a partition was revoked since the last attempt began; guarded by monitor
    private boolean stopping; // guarded by monitor

    LaneGate(Clock clock, LaneMonitor monitor) {
        this.clock = requireNonNull(clock, "clock");
        this.monitor = requireNonNull(monitor, "monitor");
    }

    /** Under the monitor: either this sees a revocation, or {@link #awaitRevoked} sees this attempt. */
    @Override
    public Optional<List<Document>> enter(List<Document> documents) {
        synchronized (monitor) {
            revokedSince = false;
            isCancelled = false;
            attempted = stopping ? List.of() : stillOurs(documents);
            return stopping ? Optional.empty() : Optional.of(attempted);
        }
    }

    private static List<Document> stillOurs(List<Document> documents) {
        return holdsRevoked(documents)
                ? documents.stream()
                        .filter(document -> !document.progress().isRevoked())
                        .toList()
                : documents;
    }

    private static boolean holdsRevoked(List<Document> documents) {
        for (Document document : documents) {
            if (document.progress().isRevoked()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void leave() {
        synchronized (monitor) {
            attempted = List.of();
            monitor.notifyAll();
        }
    }

    @Override
    public boolean wasCancelled() {
        synchronized (monitor) {
            return isCancelled;
        }
    }

    @Override
    public boolean isStopped() {
        synchronized (monitor) {
            return stopping;
        }
    }

    @Override
    public boolean pause(Duration duration) throws InterruptedException {
        synchronized (monitor) {
            monitor.notifyAll(); // a flush checks again whether it is blocked
            long deadline = clock.nanoTime() + duration.toNanos();
            long left;
            while (!stopping && !revokedSince && (left = deadline - clock.nanoTime()) > 0) {
                clock.awaitSignal(monitor, left);
            }
            return !stopping;
        }
    }

    @Override
    public boolean await(BooleanSupplier until) throws InterruptedException {
        synchronized (monitor) {
            monitor.notifyAll(); // a flush checks again whether it is blocked
            while (!stopping && !until.getAsBoolean()) {
                clock.awaitSignal(monitor, LONGEST_WAIT.toNanos());
            }
            return !stopping;
        }
    }

    /** Task thread: a partition was revoked. A pause ends, so that the next attempt omits its documents. */
    void revoked() {
        synchronized (monitor) {
            revokedSince = true;
            monitor.notifyAll();
        }
    }

    /**
     * Task thread: cancels the present attempt if it holds a document of a revoked partition.
     *
     * @param cancel does not wait for the lane. It is called under the monitor, so that it does not meet the next attempt
     * @return whether it was called
     */
    boolean cancelRevoked(Runnable cancel) {
        synchronized (monitor) {
            isCancelled = holdsRevoked(attempted);
            if (isCancelled) {
                cancel.run();
            }
            return isCancelled;
        }
    }

    /**
     * Task thread: waits until no attempt holds a document of a revoked partition.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @return false when one still does
     */
    boolean awaitRevoked(long deadline) throws InterruptedException {
        synchronized (monitor) {
            long left;
            while (holdsRevoked(attempted)) {
                if ((left = deadline - clock.nanoTime()) <= 0) {
                    return false;
                }
                clock.awaitSignal(monitor, left);
            }
            return true;
        }
    }

    /** Any thread: no further attempt begins, and a pause ends. */
    void stop() {
        synchronized (monitor) {
            stopping = true;
            monitor.notifyAll();
        }
    }
}
