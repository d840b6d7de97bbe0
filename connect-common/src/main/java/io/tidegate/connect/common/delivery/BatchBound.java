package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many documents the server can take at once, as far as is known. The bound halves when a batch was too large, and
 * doubles after some successes. If it was doubled too early, the next doubling needs twice as many successes. A lane's
 * thread uses it.
 */
final class BatchBound {
    private static final Logger log = LoggerFactory.getLogger(BatchBound.class);

    private static final int FIRST_PATIENCE = 8;
    private static final int LONGEST_PATIENCE = 1_024;
    private static final int NONE = Integer.MAX_VALUE;

    private final String target;
    private int rows = NONE;
    private int whole; // the first batch that was too large
    private int patience = FIRST_PATIENCE;
    private int successes;
    private boolean grown; // whether the bound was raised since a batch was last too large

    BatchBound(String target) {
        this.target = requireNonNull(target, "target");
    }

    /** At least 1. */
    int rows() {
        return rows;
    }

    /** A batch of more than one document was too large. */
    void tooMuch(int attempted, String reason) {
        if (rows == NONE) {
            whole = attempted;
            log.warn(
                    "{} did not take {} records at once: {}; sending fewer, and more again once that works",
                    target,
                    attempted,
                    reason);
        } else if (grown) {
            patience = Math.min(LONGEST_PATIENCE, 2 * patience);
        }
        grown = false;
        rows = attempted / 2;
        successes = 0;
    }

    /** The server took a batch. A batch below the bound shows nothing. */
    void succeeded(int written) {
        if (rows == NONE || written < rows) {
            return;
        }
        successes++;
        if (successes < patience) {
            return;
        }
        successes = 0;
        if (rows >= whole) {
            log.info("{} takes {} records at once again", target, rows);
            rows = NONE;
            patience = FIRST_PATIENCE;
        } else {
            rows = (int) Math.min(whole, 2L * rows);
            grown = true;
        }
    }
}
