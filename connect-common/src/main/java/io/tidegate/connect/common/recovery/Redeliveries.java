package io.tidegate.connect.common.recovery;

import java.util.concurrent.atomic.LongAdder;

/** A task's counts of records that come more than once or never again. Any thread. */
public final class Redeliveries {
    private final LongAdder deliveredAgain = new LongAdder();
    private final LongAdder unchecked = new LongAdder();
    private final LongAdder missing = new LongAdder();

    /** Records that were delivered again because the server no longer had them. */
    public long deliveredAgain() {
        return deliveredAgain.sum();
    }

    /** How often nothing showed whether a partition's log is the one that was written. */
    public long unchecked() {
        return unchecked.sum();
    }

    /** Offsets that the server lost and that Kafka did not deliver again. */
    public long missing() {
        return missing.sum();
    }

    public void countDeliveredAgain() {
        deliveredAgain.increment();
    }

    public void countUnchecked() {
        unchecked.increment();
    }

    public void countMissing(long offsets) {
        missing.add(offsets);
    }
}
