package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * A first-level field of the document, for the column of its name.
 *
 * @param name of both, not quoted
 * @param columnType as the server's catalogue names it
 * @param binaryType the type whose binary form the column's values have; empty if that is not known
 */
public record DocumentField(String name, String columnType, String binaryType) implements RowInput {
    private static final Set<String> TIMES = Set.of(
            "date",
            "time without time zone",
            "time with time zone",
            "timestamp without time zone",
            "timestamp with time zone",
            "interval");

    public DocumentField {
        requireNonNull(name, "name");
        requireNonNull(columnType, "columnType");
        requireNonNull(binaryType, "binaryType");
    }

    /** {@link WireType#TEXT} for a type that has no other form here: the server casts the text. */
    @Override
    public WireType wire() {
        return WireType.of(binaryType);
    }

    /** Whether the column holds arrays. */
    public boolean isArray() {
        return columnType.endsWith("[]");
    }

    /** Whether the column holds arrays of JSON values. */
    public boolean isJsonArray() {
        return columnType.equals("jsonb[]") || columnType.equals("json[]");
    }

    /** Whether the column holds arrays of bytes. */
    public boolean isBytesArray() {
        return columnType.equals("bytea[]");
    }

    /** Whether the column holds dates, times or intervals, or arrays of them. */
    public boolean isOfTime() {
        return TIMES.contains(element());
    }

    /** Whether the column holds dates, or arrays of them. */
    public boolean isOfDates() {
        return element().equals("date");
    }

    /** Whether the column holds times of the day, or arrays of them. */
    public boolean isOfTimesOfDay() {
        return element().startsWith("time ");
    }

    private String element() {
        return binaryType.endsWith("[]") ? binaryType.substring(0, binaryType.length() - 2) : binaryType;
    }

    @Override
    public boolean isOfValue() {
        return true;
    }
}
