package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of all pools of a worker: one that keeps the time, and as many as work at a time. A worker may have a pool for
 * each of a thousand logins, and most of them are idle. The threads end when there is nothing to do.
 */
final class PoolThreads {
    private static final Logger log = LoggerFactory.getLogger(PoolThreads.class);
    private static final Duration KEPT = Duration.ofSeconds(10);

    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private static final ExecutorService WORK = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            KEPT.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            named("tidegate-pool-watch"));

    private PoolThreads() {}

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, named("tidegate-pool-clock"));
        clock.setKeepAliveTime(KEPT.toSeconds(), TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    private static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** For short work that waits for nothing. Nobody may shut it down. */
    static ScheduledThreadPoolExecutor clockOfAll() {
        return CLOCK;
    }

    /** Work that is repeated while there is something to watch. */
    static final class Watch implements AutoCloseable {
        private final String what;
        private final Duration pause;
        private final BooleanSupplier look;
        private boolean isAwake; // guarded by this
        private boolean isWoken; // since the last look began; guarded by this
        private boolean isClosed; // guarded by this

        /**
         * Sleeps at first.
         *
         * @param what is watched, for log lines
         * @param pause after each look
         * @param look returns whether there is still something to watch; it may wait
         */
        Watch(String what, Duration pause, BooleanSupplier look) {
            this.what = requireNonNull(what, "what");
            this.pause = requireNonNull(pause, "pause");
            this.look = requireNonNull(look, "look");
        }

        /** There is something to watch. */
        synchronized void wake() {
            isWoken = true;
            if (!isAwake && !isClosed) {
                schedule();
            }
        }

        private void schedule() {
            ScheduledFuture<?> unused = CLOCK.schedule(this::begin, pause.toMillis(), TimeUnit.MILLISECONDS);
            isAwake = true;
        }

        private void begin() {
            try {
                WORK.execute(this::run);
            } catch (Throwable e) { // there is no memory for a thread now
                goOn(true);
            }
        }

        private void run() {
            if (!startsToLook()) {
                return;
            }
            boolean isMore = true;
            try {
                isMore = look.getAsBoolean();
            } catch (Throwable e) { // it goes on, or nobody would watch any more
                warn(e);
            }
            goOn(isMore);
        }

        private synchronized boolean startsToLook() {
            isWoken = false;
            return !isClosed;
        }

        private synchronized void goOn(boolean isMore) {
            isAwake = false;
            if ((isMore || isWoken) && !isClosed) {
                schedule();
            }
        }

        private void warn(Throwable failure) {
            if (isClosed()) {
                return; // what it asks is closed too
            }
            try {
                log.warn("The connections to {} could not be watched; trying again", what, failure);
            } catch (Throwable e) {
                // Without memory, nothing can be logged, either.
            }
        }

        private synchronized boolean isClosed() {
            return isClosed;
        }

        /** Does not wait for a look that is under way. */
        @Override
        public synchronized void close() {
            isClosed = true;
        }
    }
}
