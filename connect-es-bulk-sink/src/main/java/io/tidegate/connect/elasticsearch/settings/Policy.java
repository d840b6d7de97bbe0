package io.tidegate.connect.elasticsearch.settings;

import java.util.Locale;

/** What becomes of a document that the server did not write. */
public enum Policy {
    /** It is written again until the server takes it. */
    RETRY,
    /** It is passed over; it counts in the metrics. */
    IGNORE,
    /** It is passed over, and the log tells of it. */
    WARN,
    /** It is refused: it goes to the dead letter queue, or fails the task, as {@code errors.tolerance} says. */
    DLQ,
    /** It fails the task, whatever {@code errors.tolerance} says. */
    FAIL;

    String settingName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
