package io.tidegate.connect.common.task;

import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The threads that work for lanes. All lanes of all connectors of this plugin on a worker share them, and an idle lane has
 * none. Their number has no bound besides that of lanes with something to do: lanes that wait for one server must not
 * hold up those of another. While a thread works for a lane, it has the task's name and log context.
 */
final class LaneThreads {
    private static final Logger log = LoggerFactory.getLogger(LaneThreads.class);

    /** How long a request may take to end after it was cancelled. */
    static final Duration ABORT_GRACE = Duration.ofSeconds(1);

    private static final Duration UNUSED = Duration.ofSeconds(10);

    private static final Executor WORKER = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, UNUSED.toSeconds(), TimeUnit.SECONDS, new SynchronousQueue<>(), LaneThreads::daemon);

    private LaneThreads() {}

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    /** The threads of one lane, with the log context of the thread that calls. */
    static Executor of(String task, int lane) {
        String name = "tidegate-" + task + "-lane-" + lane;
        Map<String, String> logContext = MDC.getCopyOfContextMap() == null ? Map.of() : MDC.getCopyOfContextMap();
        return work -> WORKER.execute(() -> {
            try {
                Thread.currentThread().setName(name);
                MDC.setContextMap(logContext);
            } finally { // without memory for a log context, too: nobody would give the lane another thread
                try {
                    work.run();
                } finally {
                    MDC.clear();
                    Thread.currentThread().setName("tidegate-unused-lane");
                }
            }
        });
    }

    /**
     * Lets each lane finish its request, then cancels it. If a thread outlives the task, this is logged.
     *
     * @param timeout for all lanes together
     */
    static void stop(List<Lane> lanes, Duration timeout, Clock clock) {
        lanes.forEach(Lane::stop);
        if (!haveEnded(lanes, timeout, clock)) {
            lanes.forEach(Lane::abort);
            if (!haveEnded(lanes, ABORT_GRACE, clock)) {
                log.warn("A request to the server does not end although it was cancelled; its thread ends with it");
            }
        }
    }

    private static boolean haveEnded(List<Lane> lanes, Duration timeout, Clock clock) {
        List<Future<?>> ends = lanes.stream().<Future<?>>map(Lane::ended).toList();
        try {
            return clock.join(ends, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
