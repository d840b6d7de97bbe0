package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A timestamp in UTC in the form of a date pattern, with weeks of ISO 8601: a week starts on Monday and belongs to the
 * year of its Thursday. It caches the text of the last time span in which the text cannot change, so it does not format
 * each record of one day or minute. Any thread.
 */
final class TimestampText {
    /** No language, and a region that counts weeks as ISO 8601 does; {@link Locale#ROOT} counts them from Sunday. */
    private static final Locale ISO_WEEKS =
            new Locale.Builder().setUnicodeLocaleKeyword("rg", "dezzzz").build();

    private static final long MINUTE_MS = 60_000;
    private static final long HALF_DAY_MS = 12 * 60 * MINUTE_MS;

    private final DateTimeFormatter format;
    private final long spanMs;
    private Formatted last = new Formatted(Long.MIN_VALUE, ""); // any thread writes it: each value is correct

    private record Formatted(long span, String text) {}

    /**
     * A text in the form of this pattern.
     *
     * @throws IllegalArgumentException when it is not a date pattern, or has the week-based year (Y) without a week (w)
     */
    TimestampText(String pattern) {
        requireNonNull(pattern, "pattern");
        String letters = pattern.replaceAll("'[^']*'", "");
        if (letters.contains("Y") && !letters.contains("w")) {
            throw new IllegalArgumentException("`" + pattern
                    + "` is no date pattern to use: Y is the year that a week belongs to; write y for the year");
        }
        try {
            this.format = DateTimeFormatter.ofPattern(pattern, ISO_WEEKS).withZone(ZoneOffset.UTC);
            if (format.format(Instant.EPOCH).isEmpty()) {
                throw new IllegalArgumentException("it is empty");
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("`" + pattern + "` is no date pattern: " + e.getMessage(), e);
        }
        this.spanMs = span(letters);
    }

    /** The time span within which a pattern of these letters gives the same text. */
    private static long span(String letters) {
        if (letters.chars().anyMatch(c -> "SsnNA".indexOf(c) >= 0)) {
            return 1;
        }
        return letters.chars().anyMatch(c -> "mHhKkB".indexOf(c) >= 0) ? MINUTE_MS : HALF_DAY_MS;
    }

    /** The text of a time in milliseconds since the epoch. */
    String of(long timestampMs) {
        long span = Math.floorDiv(timestampMs, spanMs);
        Formatted known = last;
        if (span == known.span()) {
            return known.text();
        }
        String text = format.format(Instant.ofEpochMilli(timestampMs));
        last = new Formatted(span, text);
        return text;
    }
}
