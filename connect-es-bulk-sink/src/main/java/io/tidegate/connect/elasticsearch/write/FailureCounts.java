package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.elasticsearch.settings.FailureClass;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many documents of a task were not written, by class, and a word in the log about those passed over. Any thread. */
public final class FailureCounts {
    private static final Logger log = LoggerFactory.getLogger(FailureCounts.class);

    private final Map<FailureClass, AtomicLong> counts = new EnumMap<>(FailureClass.class);
    private final Map<FailureClass, AtomicLong> passedOver = new EnumMap<>(FailureClass.class);

    public FailureCounts() {
        for (FailureClass each : FailureClass.values()) {
            counts.put(each, new AtomicLong());
            passedOver.put(each, new AtomicLong());
        }
    }

    /** Documents that failed for good, whatever became of them, since the start. */
    long of(FailureClass failureClass) {
        return counts.get(failureClass).get();
    }

    public void count(FailureClass failureClass) {
        counts.get(failureClass).incrementAndGet();
    }

    /** Logs a document that is passed over: the first, and then at doubling counts. */
    public void warn(FailureClass failureClass, String where, String reason) {
        long count = passedOver.get(failureClass).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            log.warn(
                    "{} documents passed over so far, as {}=warn says. The last one is {}: {}",
                    count,
                    failureClass.setting(),
                    where,
                    reason);
        }
    }
}
