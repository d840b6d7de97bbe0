package io.tidegate.connect.tools.trial;

import static java.util.Objects.requireNonNull;

/** What would happen to a record. */
enum Outcome {
    WRITTEN("written", false),
    /** A later record of the same batch has the same key, and the last write wins. */
    REPLACED("replaced by a later record with the same key", false),
    /** A transform dropped it. */
    DROPPED("dropped by a transform", false),
    /** The sink's settings say so. */
    SKIPPED("skipped as the settings say", false),
    /** It becomes a dead letter, or fails the task. */
    REFUSED("refused", true),
    /** A converter or transform failed. */
    NOT_CONVERTED("not converted", true),
    /** The server accepts nothing for its table or index now. */
    HELD("postponed until its destination accepts records", true),
    /** The task fails before it writes the record. */
    NOT_REACHED("not reached, because the task fails first", true);

    private final String text;
    private final boolean isProblem;

    Outcome(String text, boolean isProblem) {
        this.text = requireNonNull(text, "text");
        this.isProblem = isProblem;
    }

    String text() {
        return text;
    }

    boolean isProblem() {
        return isProblem;
    }
}
