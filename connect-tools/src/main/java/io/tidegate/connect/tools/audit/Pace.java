package io.tidegate.connect.tools.audit;

import java.util.concurrent.TimeUnit;

/** Keeps reading from being faster than wanted. One thread uses it. */
final class Pace {
    private final long perSecond;
    private final long begun = System.nanoTime();
    private long done;

    /**
     * A pace.
     *
     * @param perSecond 0 for as fast as possible
     */
    Pace(long perSecond) {
        this.perSecond = perSecond;
    }

    /** Returns when these records may have been read. */
    void await(long records) throws InterruptedException {
        done += records;
        if (perSecond > 0) {
            long due = (long) (done * 1e9 / perSecond);
            TimeUnit.NANOSECONDS.sleep(due - (System.nanoTime() - begun));
        }
    }
}
