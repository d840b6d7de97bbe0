package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.time.Milestones;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts how often documents of a task were not written, by class, and logs those that are skipped. Any thread. */
public final class FailureCounts {
    private static final Logger log = LoggerFactory.getLogger(FailureCounts.class);

    private final Map<FailureClass, AtomicLong> counts = new EnumMap<>(FailureClass.class);
    private final Map<FailureClass, AtomicLong> skipped = new EnumMap<>(FailureClass.class);

    private final AtomicLong rejections = new AtomicLong();

    public FailureCounts() {
        for (FailureClass each : FailureClass.values()) {
            counts.put(each, new AtomicLong());
            skipped.put(each, new AtomicLong());
        }
    }

    /** Requests that the server rejected since the start, in whole or in part, because it had no room. */
    long rejections() {
        return rejections.get();
    }

    void countRejection() {
        rejections.incrementAndGet();
    }

    /** How often a document was not written, since the start, whatever then happened to it. */
    long of(FailureClass failureClass) {
        return counts.get(failureClass).get();
    }

    public void count(FailureClass failureClass) {
        counts.get(failureClass).incrementAndGet();
    }

    /** Logs a skipped document at {@link Milestones}. */
    public void warn(FailureClass failureClass, String where, String reason) {
        long count = skipped.get(failureClass).incrementAndGet();
        if (Milestones.isPassed(count - 1, count)) {
            log.warn(
                    "{} documents skipped so far, because {} ({}). The last one is {}: {}",
                    count,
                    failureClass.reason(),
                    failureClass.code(),
                    where,
                    reason);
        }
    }
}
