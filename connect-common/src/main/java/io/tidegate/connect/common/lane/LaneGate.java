package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Knows which documents a lane is sending to the server now. It keeps revoked documents out of an attempt, and lets the
 * task thread wait until no attempt contains one. The delivery calls it on the lane's thread; the task thread revokes.
 */
final class LaneGate implements Delivery.Gate {
    private final Clock clock;
    private final ReentrantLock lock; // the lane's
    private final Condition changed;

    private List<Document> attempted = List.of(); // guarded by lock
    private boolean revokedSince; // a partition was revoked since the last attempt began; guarded by lock
    private boolean stopping; // guarded by lock

    LaneGate(Clock clock, ReentrantLock lock, Condition changed) {
        this.clock = requireNonNull(clock, "clock");
        this.lock = requireNonNull(lock, "lock");
        this.changed = requireNonNull(changed, "changed");
    }

    /** Under the lock: either this sees a revocation, or {@link #awaitRevoked} sees this attempt. */
    @Override
    public Optional<List<Document>> enter(List<Document> documents) {
        lock.lock();
        try {
            revokedSince = false;
            attempted = stopping ? List.of() : stillOurs(documents);
            return stopping ? Optional.empty() : Optional.of(attempted);
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            attempted = List.of();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean pause(Duration duration) throws InterruptedException {
        lock.lock();
        try {
            changed.signalAll(); // a flush checks again whether it is blocked
            long deadline = clock.nanoTime() + duration.toNanos();
            long left;
            while (!stopping && !revokedSince && (left = deadline - clock.nanoTime()) > 0) {
                clock.await(changed, left);
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: a partition was revoked. A pause ends, so that the next attempt omits its documents. */
    void revoked() {
        lock.lock();
        try {
            revokedSince = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: whether the present attempt holds a document of a revoked partition. */
    boolean isRevokedAttempted() {
        lock.lock();
        try {
            return holdsRevoked(attempted);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Task thread: waits until no attempt holds a document of a revoked partition.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @return false when one still does
     */
    boolean awaitRevoked(long deadline) throws InterruptedException {
        lock.lock();
        try {
            long left;
            while (holdsRevoked(attempted)) {
                if ((left = deadline - clock.nanoTime()) <= 0) {
                    return false;
                }
                clock.await(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: no further attempt begins, and a pause ends. */
    void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
