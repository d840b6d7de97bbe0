package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The threads of a task's lanes. They have the task's name and log in its context. If one outlives the task, this is
 * logged.
 */
final class LaneThreads {
    private static final Logger log = LoggerFactory.getLogger(LaneThreads.class);

    /** How long a request may take to end after it was cancelled. */
    static final Duration ABORT_GRACE = Duration.ofSeconds(1);

    private final List<Lane> lanes;
    private final Clock clock;
    private final List<Thread> threads = new ArrayList<>();

    private LaneThreads(List<Lane> lanes, Clock clock) {
        this.lanes = List.copyOf(lanes);
        this.clock = requireNonNull(clock, "clock");
    }

    static LaneThreads start(String task, List<Lane> lanes, Clock clock) {
        LaneThreads started = new LaneThreads(lanes, clock);
        Map<String, String> logContext = MDC.getCopyOfContextMap() == null ? Map.of() : MDC.getCopyOfContextMap();
        for (Lane lane : lanes) {
            Thread thread = new Thread(
                    () -> {
                        MDC.setContextMap(logContext);
                        lane.run();
                    },
                    "tidegate-" + task + "-lane-" + lane.number());
            thread.setDaemon(true);
            started.threads.add(thread);
            thread.start();
        }
        return started;
    }

    /**
     * Lets each lane finish its request, then cancels it.
     *
     * @param timeout for all lanes together
     */
    void stop(Duration timeout) {
        lanes.forEach(Lane::stop);
        if (!join(timeout)) {
            lanes.forEach(Lane::abort);
            if (!join(ABORT_GRACE)) {
                log.warn("A request to the server does not end although it was cancelled; its thread ends with it");
            }
        }
    }

    private boolean join(Duration timeout) {
        try {
            return clock.join(threads, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
