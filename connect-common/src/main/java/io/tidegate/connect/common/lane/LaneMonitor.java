package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * A lane's lock, and its claim to a thread: it has one only while it has something to do or to wait for. All methods are
 * called under the lock, except {@link #ended()}.
 */
final class LaneMonitor {
    private final Executor threads;
    private final Runnable lane;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean hasThread;

    /**
     * A lane without a thread.
     *
     * @param threads runs the lane on another thread than the one that asks for it
     * @param lane calls {@link #leave} or {@link #end} before it returns
     */
    LaneMonitor(Executor threads, Runnable lane) {
        this.threads = requireNonNull(threads, "threads");
        this.lane = requireNonNull(lane, "lane");
    }

    /** The lane may have something to do now, and those who wait may go on. */
    void changed() {
        notifyAll();
        if (!hasThread && !ended.isDone()) {
            threads.execute(lane);
            hasThread = true; // not if there is no thread to be had: the caller fails
        }
    }

    /** The lane's thread: it leaves until the next change. */
    void leave() {
        hasThread = false;
    }

    /** The lane never gets a thread again. If it has one, it ends with {@link #end}. */
    void stop() {
        notifyAll();
        if (!hasThread) {
            end();
        }
    }

    /** The lane's thread: it leaves for good. */
    void end() {
        hasThread = false;
        boolean unused = ended.complete(null);
        notifyAll();
    }

    /** Any thread: done when no thread works for the lane any more. */
    Future<?> ended() {
        return ended;
    }
}
