package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The place of a change in the source's log as one number, which grows with each change of a row: PostgreSQL's
 * {@code lsn}, the file and position of MySQL's and MariaDB's binary log, and the time of the change ({@code ts_ms}) for
 * every other connector. One thread.
 */
final class SourcePosition {
    private static final int FILE_SHIFT = 40; // a file of the binary log may be larger than 4 GB, if one transaction is
    private static final long MAX_FILE = Long.MAX_VALUE >> FILE_SHIFT;
    private static final int MAX_DIGITS = 18;

    private static final byte[] CONNECTOR = JsonCursor.ascii("connector");
    private static final byte[] POSTGRESQL = JsonCursor.ascii("\"postgresql\"");
    private static final byte[] LSN = JsonCursor.ascii("lsn");
    private static final byte[] FILE = JsonCursor.ascii("file");
    private static final byte[] POS = JsonCursor.ascii("pos");
    private static final byte[] TS_MS = JsonCursor.ascii("ts_ms");

    private final JsonCursor cursor = new JsonCursor();

    // Of the source that is being read.
    private String connector = "";
    private String file = "";
    private long lsn;
    private long pos;
    private long timestamp;

    /** The position, or {@link Document#NO_POSITION} when the source says none. */
    long of(ByteSlice source) {
        connector = "";
        file = "";
        lsn = Document.NO_POSITION;
        pos = Document.NO_POSITION;
        timestamp = Document.NO_POSITION;
        read(source);
        return switch (connector) {
            case "postgresql" -> lsn;
            case "mysql", "mariadb" -> ofBinaryLog();
            default -> timestamp;
        };
    }

    private void read(ByteSlice json) {
        if (!cursor.open(json)) {
            return;
        }
        while (cursor.next()) {
            if (cursor.isNamed(LSN)) {
                lsn = number(cursor.take());
            } else if (cursor.isNamed(POS)) {
                pos = number(cursor.take());
            } else if (cursor.isNamed(FILE)) {
                file = text(cursor.take());
            } else if (cursor.isNamed(TS_MS)) {
                timestamp = number(cursor.take());
            } else if (cursor.isNamed(CONNECTOR)) {
                connector = connector(cursor.take());
            } else {
                cursor.skip();
            }
        }
    }

    /** Without a copy for the most frequent one. */
    private static String connector(ByteSlice json) {
        boolean isPostgres = Arrays.equals(json.array(), json.from(), json.to(), POSTGRESQL, 0, POSTGRESQL.length);
        return isPostgres ? "postgresql" : text(json);
    }

    private static String text(ByteSlice json) {
        boolean isString = json.length() >= 2 && json.array()[json.from()] == '"';
        return isString ? new String(json.array(), json.from() + 1, json.length() - 2, StandardCharsets.UTF_8) : "";
    }

    private static long number(ByteSlice json) {
        if (json.length() > MAX_DIGITS) {
            return Document.NO_POSITION;
        }
        long number = 0;
        for (int i = json.from(); i < json.to(); i++) {
            byte digit = json.array()[i];
            if (digit < '0' || digit > '9') {
                return Document.NO_POSITION; // null, a fraction, or less than 0
            }
            number = 10 * number + digit - '0';
        }
        return number;
    }

    /** A file's name ends in its number: {@code mysql-bin.000003}. */
    private long ofBinaryLog() {
        String digits = file.substring(file.lastIndexOf('.') + 1);
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber || pos < 0 || pos >= 1L << FILE_SHIFT || Long.parseLong(digits) > MAX_FILE) {
            return Document.NO_POSITION;
        }
        return (Long.parseLong(digits) << FILE_SHIFT) | pos;
    }
}
