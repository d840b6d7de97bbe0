package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.jsonb.row.DocumentField;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/**
 * What Debezium counts since 1970, since midnight, or of a duration, by the names of its schemas. Source: its documentation,
 * "Temporal types". A number without such a schema has no unit.
 */
enum TimeCount {
    DAYS("date", 0),
    TIME_MILLIS("time", 3),
    TIME_MICROS("time", 6),
    TIME_NANOS("time", 9),
    MILLIS("timestamp", 3),
    MICROS("timestamp", 6),
    NANOS("timestamp", 9),
    DURATION_MICROS("interval", 6),
    DURATION_NANOS("interval", 9);

    private static final Map<String, TimeCount> BY_NAME = Map.of(
            "io.debezium.time.Date", DAYS,
            "io.debezium.time.Time", TIME_MILLIS,
            "io.debezium.time.MicroTime", TIME_MICROS,
            "io.debezium.time.NanoTime", TIME_NANOS,
            "io.debezium.time.Timestamp", MILLIS,
            "io.debezium.time.MicroTimestamp", MICROS,
            "io.debezium.time.NanoTimestamp", NANOS,
            "io.debezium.time.MicroDuration", DURATION_MICROS,
            "io.debezium.time.NanoDuration", DURATION_NANOS);

    /** What Debezium and the driver have for infinite timestamps, in every unit. Source: {@code org.postgresql.PGStatement}. */
    private static final long INFINITY = 9_223_372_036_825_200_000L;

    private static final long MINUS_INFINITY = -9_223_372_036_832_400_000L;

    private static final long SECONDS_OF_A_DAY = 86_400;
    private static final int SECONDS_OF_AN_HOUR = 3_600;
    private static final int SIXTY = 60;
    private static final int TEN = 10;

    private final String type;
    private final int digits; // of a second's fraction
    private final long ofASecond;

    TimeCount(String type, int digits) {
        this.type = type;
        this.digits = digits;
        long units = 1;
        for (int i = 0; i < digits; i++) {
            units *= TEN;
        }
        this.ofASecond = units;
    }

    /** What a number of this schema counts. */
    static Optional<TimeCount> of(Schema schema) {
        boolean isWhole = schema.type() == Schema.Type.INT32 || schema.type() == Schema.Type.INT64;
        return isWhole ? Optional.ofNullable(schema.name()).map(BY_NAME::get) : Optional.empty();
    }

    /** The type of a column for what is counted. */
    String type() {
        return type;
    }

    /** The count as a text that every type of dates, times and intervals reads as what was counted, or refuses. */
    String text(long count) {
        return switch (type) {
            case "date" -> date(count, "");
            case "timestamp" -> timestamp(count);
            default -> count < 0 ? '-' + time(-count) : time(count); // the least count stays negative and is refused
        };
    }

    /** Whether the server would silently cut it to a date, or to a time of the day. */
    boolean isCutIn(DocumentField column, long count) {
        if (!type.equals("timestamp") || count == INFINITY || count == MINUS_INFINITY) {
            return false;
        }
        boolean isMidnight = Math.floorMod(count, ofASecond * SECONDS_OF_A_DAY) == 0;
        return column.isOfTimesOfDay() || (column.isOfDates() && !isMidnight);
    }

    private String timestamp(long count) {
        if (count == INFINITY || count == MINUS_INFINITY) {
            return count == INFINITY ? "infinity" : "-infinity";
        }
        long units = ofASecond * SECONDS_OF_A_DAY;
        return date(Math.floorDiv(count, units), 'T' + time(Math.floorMod(count, units)) + 'Z');
    }

    private String time(long count) {
        long seconds = count / ofASecond;
        long fraction = count % ofASecond;
        StringBuilder text = new StringBuilder();
        append(text, seconds / SECONDS_OF_AN_HOUR, 2);
        append(text.append(':'), seconds / SIXTY % SIXTY, 2);
        append(text.append(':'), seconds % SIXTY, 2);
        if (fraction != 0) {
            append(text.append('.'), fraction, digits);
        }
        return text.toString();
    }

    /** The server refuses days beyond its calendar, which ends before that of Java. */
    private static String date(long days, String time) {
        if (days != (int) days) {
            return Long.toString(days) + time;
        }
        LocalDate date = LocalDate.ofEpochDay(days);
        boolean isBefore = date.getYear() <= 0;
        StringBuilder text = new StringBuilder();
        append(text, isBefore ? 1L - date.getYear() : date.getYear(), 4);
        append(text.append('-'), date.getMonthValue(), 2);
        append(text.append('-'), date.getDayOfMonth(), 2);
        return text.append(time).append(isBefore ? " BC" : "").toString();
    }

    private static void append(StringBuilder text, long number, int digits) {
        String written = Long.toString(number);
        text.append("0".repeat(Math.max(0, digits - written.length()))).append(written);
    }
}
