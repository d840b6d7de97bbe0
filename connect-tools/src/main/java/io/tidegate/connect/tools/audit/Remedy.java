package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

/**
 * What a repair does about a finding, or why it leaves it alone.
 *
 * @param action what it does
 * @param reason why it does nothing; empty if it does something
 */
record Remedy(Action action, String reason) {
    /** What a repair may do. None of these can destroy what a newer record wrote. */
    enum Action {
        /** Nothing: no record proves what is right. */
        LEAVE,
        /** Write a record whose row or document is missing. */
        WRITE,
        /** Write the newest record of a key over what an older record of the same partition wrote. */
        REPLACE,
        /** Write the deletion that is the newest record of a key over what an older record of the same partition wrote. */
        DELETE,
        /** Delete all equal rows of a record but one. */
        DELETE_COPIES;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    Remedy {
        requireNonNull(action, "action");
        requireNonNull(reason, "reason");
    }

    static Remedy of(Action action) {
        return new Remedy(action, "");
    }

    static Remedy leave(String reason) {
        return new Remedy(Action.LEAVE, reason);
    }

    boolean changesStore() {
        return action != Action.LEAVE;
    }
}
