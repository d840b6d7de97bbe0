package io.tidegate.connect.common.delivery;

/**
 * How many documents to try at once for a destination that has failed: fewer after failures, because they will probably
 * fail again, or were too many for the server's time limit, and more again after successes. Guarded by its user.
 */
final class TrialSize {
    /** Most documents after two failures in a row. */
    private static final int FEW = 20;

    /** After so many failures in a row even fewer may be too many. */
    private static final int PROBES = 4;

    /** So many attempts in a row must succeed before as many documents are tried as have failed together. */
    private static final int PATIENCE = 16;

    private static final int ANY = Integer.MAX_VALUE;

    private int most = ANY;
    private int tooMany = ANY; // the fewest that have failed together
    private int successes; // in a row, of as many documents as are tried at once

    /**
     * How many to try.
     *
     * @param failures in a row
     */
    int most(int failures) {
        return failures > 1 ? Math.min(most, FEW) : most;
    }

    /** These have been written. */
    void succeeded(int tried) {
        if (tried < most) {
            return;
        }
        successes++;
        if (successes >= PATIENCE) {
            tooMany = ANY;
        }
        if (2L * most < tooMany) {
            most *= 2;
            successes = 0;
        }
    }

    /**
     * These have failed together.
     *
     * @param tried 0 if the failure met documents that had not waited
     * @param isSlow whether they took too long
     * @param failures in a row before this one
     */
    void failed(int tried, boolean isSlow, int failures) {
        if (tried > 0 && (isSlow || failures >= PROBES)) {
            tooMany = tried;
            most = Math.max(1, Math.min(FEW, tried / 2));
            successes = 0;
        } else if (isSlow) {
            most = Math.min(most, FEW);
        }
    }
}
