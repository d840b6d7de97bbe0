package io.tidegate.connect.check.oracle;

/**
 * A dead letter.
 *
 * @param coordinates of the record, {@code topic-partition@offset}
 * @param reason the message in the letter's headers, or an empty text
 */
public record Letter(String coordinates, String reason) {}
