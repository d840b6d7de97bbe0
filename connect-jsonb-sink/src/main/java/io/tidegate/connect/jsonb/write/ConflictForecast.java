package io.tidegate.connect.jsonb.write;

/**
 * Which statement {@code ignore} sends first into a table. Rows mostly exist after a redelivery only, and looking for them
 * in every statement doubles its cost. Where they exist again and again, a plain statement would fail each time: the more
 * often it did, the more groups go without it. One lane's.
 */
final class ConflictForecast {
    /** Bounds the groups that go without a plain statement, at 1,022. */
    private static final int MOST_CONFLICTS = 10;

    private int conflicts; // in a row, of groups that were written plainly
    private int resolvedAtOnce; // groups to come that look for existing rows
    private boolean likely;

    /** Whether the next group looks for existing rows at once. */
    boolean isLikely() {
        likely = resolvedAtOnce > 0;
        if (likely) {
            resolvedAtOnce--;
        }
        return likely;
    }

    /** The group is written as forecast. */
    void written() {
        if (!likely) {
            conflicts = 0;
        }
    }

    /** A plain group met a row that exists. */
    void missed() {
        conflicts = Math.min(MOST_CONFLICTS, conflicts + 1);
        resolvedAtOnce = (1 << conflicts) - 2; // none after the first
    }
}
