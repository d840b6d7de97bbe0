package io.tidegate.connect.common.time;

/** Which of many equal events are logged: the first, the tenth, the hundredth and so on. */
public final class Milestones {
    private Milestones() {}

    /**
     * Whether one of them is among the latest events.
     *
     * @param before how many events there were before these; not negative
     * @param now how many there are with these
     */
    public static boolean isPassed(long before, long now) {
        long latest = 1;
        while (latest <= now / 10) {
            latest *= 10;
        }
        return before < latest && latest <= now;
    }
}
