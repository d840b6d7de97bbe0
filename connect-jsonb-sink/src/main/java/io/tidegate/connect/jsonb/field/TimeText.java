package io.tidegate.connect.jsonb.field;

import java.time.LocalDate;

/**
 * Dates and times of ISO 8601 as text, such as {@code 2026-11-23T10:15:30.25Z}. Every other form that the server knows is
 * left to it. One thread; it is used again for the next text. Source of the units: PostgreSQL's {@code timestamp.h}.
 */
final class TimeText {
    private static final long DAYS_TO_2000 = LocalDate.of(2000, 1, 1).toEpochDay();
    private static final long MICROS_OF_A_SECOND = 1_000_000;
    private static final long MICROS_OF_A_DAY = 86_400 * MICROS_OF_A_SECOND;
    private static final int MICRO_DIGITS = 6;
    private static final int MONTHS = 12;
    private static final int HOURS = 24;
    private static final int SIXTY = 60;
    private static final int MOST_OFFSET_HOURS = 15;
    private static final int TEN = 10;

    private byte[] text = new byte[0];
    private int at;
    private int to;
    private long value;

    /** Days since 2000, or microseconds since 2000 or since midnight, of what was read last. */
    long value() {
        return value;
    }

    private void start(byte[] bytes, int from, int end) {
        text = bytes;
        at = from;
        to = end;
    }

    /** Reads {@code 2026-11-23}. */
    boolean readDate(byte[] bytes, int from, int end) {
        start(bytes, from, end);
        return date() && at == to;
    }

    /** Reads {@code 10:15:30} with up to six digits behind a point. */
    boolean readTime(byte[] bytes, int from, int end) {
        start(bytes, from, end);
        return time() && at == to;
    }

    /** Reads a date and a time, with a {@code T} or a space between. A {@code Z} at the end is ignored, as the server does. */
    boolean readTimestamp(byte[] bytes, int from, int end) {
        start(bytes, from, end);
        return dateAndTime() && (at == to || (text[at] == 'Z' && at + 1 == to));
    }

    /** The same with {@code Z} or an offset from UTC, without which the server would take the session's zone. */
    boolean readTimestampWithZone(byte[] bytes, int from, int end) {
        start(bytes, from, end);
        return dateAndTime() && zone() && at == to;
    }

    private boolean dateAndTime() {
        if (!date() || at == to || (text[at] != 'T' && text[at] != ' ')) {
            return false;
        }
        at++;
        long days = value;
        if (!time()) {
            return false;
        }
        value += days * MICROS_OF_A_DAY;
        return true;
    }

    private boolean date() {
        int century = two();
        int year = two();
        boolean isMarked = skip('-');
        int month = two();
        isMarked &= skip('-');
        int day = two();
        if (!isMarked || century < 0 || year < 0 || century + year == 0 || month < 1 || month > MONTHS || day < 1) {
            return false;
        }
        LocalDate first = LocalDate.of(century * 100 + year, month, 1);
        if (day > first.lengthOfMonth()) {
            return false;
        }
        value = first.toEpochDay() + day - 1 - DAYS_TO_2000;
        return true;
    }

    private boolean time() {
        int hour = two();
        boolean isMarked = skip(':');
        int minute = two();
        isMarked &= skip(':');
        int second = two();
        if (!isMarked || !isBelow(hour, HOURS) || !isBelow(minute, SIXTY) || !isBelow(second, SIXTY)) {
            return false;
        }
        value = ((hour * SIXTY + minute) * (long) SIXTY + second) * MICROS_OF_A_SECOND;
        return at == to || text[at] != '.' || fraction();
    }

    private boolean fraction() {
        at++;
        long unit = MICROS_OF_A_SECOND;
        int digits = 0;
        while (at < to && isDigit(text[at])) {
            unit /= TEN;
            value += (text[at] - '0') * unit;
            digits++;
            at++;
        }
        return digits > 0 && digits <= MICRO_DIGITS; // the server rounds more of them
    }

    private boolean zone() {
        if (at == to) {
            return false;
        }
        if (text[at] == 'Z') {
            at++;
            return true;
        }
        boolean isEast = text[at] == '+';
        if (!isEast && text[at] != '-') {
            return false;
        }
        at++;
        int hours = two();
        int minutes = at == to ? 0 : skip(':') ? two() : -1;
        if (!isBelow(hours, MOST_OFFSET_HOURS) || !isBelow(minutes, SIXTY)) {
            return false;
        }
        long offset = (hours * SIXTY + minutes) * (SIXTY * MICROS_OF_A_SECOND);
        value -= isEast ? offset : -offset;
        return true;
    }

    private static boolean isBelow(int number, int end) {
        return number >= 0 && number < end;
    }

    private boolean skip(char c) {
        boolean isThere = at < to && text[at] == c;
        at++;
        return isThere;
    }

    /** A number of two digits; negative if there is none. */
    private int two() {
        int start = at;
        at += 2;
        return at <= to && isDigit(text[start]) && isDigit(text[start + 1])
                ? (text[start] - '0') * TEN + text[start + 1] - '0'
                : -1;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
