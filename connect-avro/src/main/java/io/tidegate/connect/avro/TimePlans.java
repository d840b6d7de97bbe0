package io.tidegate.connect.avro;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Dates and times as {@link io.tidegate.connect.common.document.JsonEncoder} writes them: {@code 2015-01-01}, {@code
 * 00:06:00.000} and {@code 2015-01-01T00:06:00.000Z}. Stateless.
 */
final class TimePlans {
    private static final int MS_OF_SECOND = 1_000;
    private static final int MS_OF_MINUTE = 60 * MS_OF_SECOND;
    private static final int MS_OF_HOUR = 60 * MS_OF_MINUTE;
    private static final int MS_OF_DAY = 24 * MS_OF_HOUR;
    private static final int LAST_YEAR_OF_FOUR_DIGITS = 9_999;
    private static final DateTimeFormatter TIMESTAMP_FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private TimePlans() {}

    /** Days since the epoch. */
    static void date(AvroInput in, JsonOutput out) {
        LocalDate date = LocalDate.ofEpochDay(in.readInt());
        if (hasFourDigits(date)) {
            out.raw('"');
            date(date, out);
            out.raw('"');
        } else {
            out.text(date.toString());
        }
    }

    /** Milliseconds since midnight; Connect allows a whole day, too. */
    static void time(AvroInput in, JsonOutput out) {
        int ms = in.readInt();
        if (ms < 0 || ms > MS_OF_DAY) {
            throw new UnfitException("a time-millis is " + ms + ", which is not within a day");
        }
        out.raw('"');
        time(ms % MS_OF_DAY, out);
        out.raw('"');
    }

    /** Milliseconds since the epoch. */
    static void timestamp(AvroInput in, JsonOutput out) {
        long ms = in.readLong();
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(ms, (long) MS_OF_DAY));
        if (hasFourDigits(date)) {
            out.raw('"');
            date(date, out);
            out.raw('T');
            time(Math.floorMod(ms, MS_OF_DAY), out);
            out.raw('Z');
            out.raw('"');
        } else {
            out.text(TIMESTAMP_FORMAT.format(Instant.ofEpochMilli(ms)));
        }
    }

    private static boolean hasFourDigits(LocalDate date) {
        return date.getYear() >= 0 && date.getYear() <= LAST_YEAR_OF_FOUR_DIGITS;
    }

    private static void date(LocalDate date, JsonOutput out) {
        out.padded(date.getYear(), 4);
        out.raw('-');
        out.padded(date.getMonthValue(), 2);
        out.raw('-');
        out.padded(date.getDayOfMonth(), 2);
    }

    private static void time(int ms, JsonOutput out) {
        out.padded(ms / MS_OF_HOUR, 2);
        out.raw(':');
        out.padded(ms % MS_OF_HOUR / MS_OF_MINUTE, 2);
        out.raw(':');
        out.padded(ms % MS_OF_MINUTE / MS_OF_SECOND, 2);
        out.raw('.');
        out.padded(ms % MS_OF_SECOND, 3);
    }
}
