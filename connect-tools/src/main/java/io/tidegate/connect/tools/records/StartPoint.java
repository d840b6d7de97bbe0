package io.tidegate.connect.tools.records;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/** Where reading starts in each partition, as a user says it. */
public sealed interface StartPoint {
    /** The oldest record that Kafka still has. */
    record Earliest() implements StartPoint {}

    /** So near the end that as many records follow as are wanted. */
    record Latest() implements StartPoint {}

    /** An offset, the same in each partition. */
    record AtOffset(long offset) implements StartPoint {}

    /** The first record with this time or a later one. */
    record AtTime(Instant time) implements StartPoint {}

    /**
     * Reads {@code earliest}, {@code latest}, an offset, a day or a time with its zone.
     *
     * @throws IllegalArgumentException with a message for the user, if it is none of them
     */
    static StartPoint parse(String text) {
        if (text.equals("earliest")) {
            return new Earliest();
        }
        if (text.equals("latest")) {
            return new Latest();
        }
        if (text.matches("\\d{1,18}")) {
            return new AtOffset(Long.parseLong(text));
        }
        try {
            return new AtTime(
                    text.length() > 10
                            ? Instant.parse(text)
                            : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not earliest, latest, an offset, or a time such as 2026-01-31 or "
                            + "2026-01-31T08:00:00Z",
                    e);
        }
    }
}
