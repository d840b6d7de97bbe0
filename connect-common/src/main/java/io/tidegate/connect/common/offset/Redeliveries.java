package io.tidegate.connect.common.offset;

import java.util.concurrent.atomic.LongAdder;

/** A task's counts of records that come more than once or never again. Any thread. */
public final class Redeliveries {
    private final LongAdder deliveredAgain = new LongAdder();
    private final LongAdder recognised = new LongAdder();
    private final LongAdder missing = new LongAdder();

    /** Records that were delivered again because the server no longer had them. */
    public long deliveredAgain() {
        return deliveredAgain.sum();
    }

    /** Records that were skipped because the server's offsets showed that they were written. */
    public long recognised() {
        return recognised.sum();
    }

    /** Offsets that the server lost and that Kafka did not deliver again. */
    public long missing() {
        return missing.sum();
    }

    public void countDeliveredAgain() {
        deliveredAgain.increment();
    }

    public void countRecognised(long records) {
        recognised.add(records);
    }

    public void countMissing(long offsets) {
        missing.add(offsets);
    }
}
