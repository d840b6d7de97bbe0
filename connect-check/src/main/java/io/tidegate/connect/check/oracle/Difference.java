package io.tidegate.connect.check.oracle;

import java.util.Objects;

/**
 * One way in which a case did not end as promised.
 *
 * @param text a sentence with the record or row
 */
public record Difference(Kind kind, String text) {
    /** What is wrong. */
    public enum Kind {
        /** A record that must be stored is not. */
        LOST,
        /** A record is stored more often than promised. */
        DOUBLED,
        /** A row or document has other contents than it must have. */
        WRONG,
        /** A row or document that no record explains. */
        UNEXPLAINED,
        /** A row or document that must have been deleted. */
        NOT_DELETED,
        /** Rows of a partition in another order than their records. */
        ORDER,
        /** A refused record without a dead letter. */
        LETTER_MISSING,
        /** A dead letter of a record that must be stored. */
        LETTER_WRONG,
        /** A dead letter without a reason. */
        REASON_MISSING,
        /** Kafka was told an offset that the store did not have yet. */
        EARLY,
        /** A request about the offset of one partition changed the offset that the store has of another. */
        OFFSET_CHANGED,
        /** {@code tidegate audit} reports what is not so, or misses what is. */
        AUDIT,
        /** Connect refused settings that must be accepted. */
        SETTINGS_REFUSED,
        /** A connector or a task failed although nothing allows it. */
        FAILED,
        /** Records were not committed in time. */
        UNFINISHED
    }

    public Difference {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
