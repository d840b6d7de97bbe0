package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.spi.Failure;

/** How a document that the server did not write is handled. */
public enum Policy {
    /** It is written again until the server takes it. */
    RETRY(Failure.DESTINATION),
    /** It is skipped; the metrics count it. */
    IGNORE(Failure.SKIPPED),
    /** It is skipped, and logged. */
    WARN(Failure.SKIPPED),
    /** It is refused: it goes to the dead letter queue, or fails the task, as {@code errors.tolerance} says. */
    DLQ(Failure.REJECTED),
    /** It fails the task, whatever {@code errors.tolerance} says. */
    FAIL(Failure.FATAL);

    private final Failure meaning;

    Policy(Failure meaning) {
        this.meaning = meaning;
    }

    /** What that means to the pipeline. */
    public Failure meaning() {
        return meaning;
    }
}
