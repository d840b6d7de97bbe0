package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

/**
 * A first-level field of the document, for the column of its name.
 *
 * @param name of both, not quoted
 * @param columnType as the server's catalogue names it
 * @param binaryType the type whose binary form the column's values have; empty if that is not known
 */
public record DocumentField(String name, String columnType, String binaryType) implements RowInput {
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

    @Override
    public boolean isOfValue() {
        return true;
    }
}
