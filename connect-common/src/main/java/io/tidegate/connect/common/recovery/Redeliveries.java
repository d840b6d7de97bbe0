package io.tidegate.connect.common.recovery;

import java.util.concurrent.atomic.LongAdder;

/**
 * A task's counts of records that come more than once or never again. Any thread.
 *
 * @param deliveredAgain records that were delivered again because the server no longer had them
 * @param unchecked how often nothing showed whether a partition's log is the one that was written
 * @param missing offsets that the server lost and that Kafka did not deliver again
 */
public record Redeliveries(LongAdder deliveredAgain, LongAdder unchecked, LongAdder missing) {
    public Redeliveries() {
        this(new LongAdder(), new LongAdder(), new LongAdder());
    }
}
