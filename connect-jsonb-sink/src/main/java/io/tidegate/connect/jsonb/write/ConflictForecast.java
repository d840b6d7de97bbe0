package io.tidegate.connect.jsonb.write;

/**
 * Decides which statement is sent first to a table with a key. New keys need no look at existing rows, which doubles
 * the cost of a statement. If rows exist again and again, a plain statement would fail each time. The more often it has
 * failed, the more groups are sent without it. One lane uses it.
 */
final class ConflictForecast {
    /** Limits the groups that are sent without a plain statement to 1,022. */
    private static final int MOST_CONFLICTS = 10;

    private int conflicts; // in a row, among groups that were sent plainly
    private int resolvedAtOnce; // number of next groups that look for existing rows
    private boolean likely;

    /** Whether the next group looks for existing rows at once. */
    boolean isLikely() {
        likely = resolvedAtOnce > 0;
        if (likely) {
            resolvedAtOnce--;
        }
        return likely;
    }

    /** Whether {@link #isLikely} would be false for the next group. */
    boolean isPlainNext() {
        return resolvedAtOnce == 0;
    }

    /** Records that the group was written as forecast. */
    void written() {
        if (!likely) {
            conflicts = 0;
        }
    }

    /** Records that a plain group met an existing row. */
    void missed() {
        conflicts = Math.min(MOST_CONFLICTS, conflicts + 1);
        resolvedAtOnce = (1 << conflicts) - 2; // none after the first conflict
    }
}
