package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * Puts right what change events say of single columns: text that is JSON becomes JSON, and the placeholders of unchanged
 * columns are treated as the settings say. A row without either is passed on as it is. One thread.
 */
final class RowColumns {
    /** Debezium's default for {@code unavailable.value.placeholder}. */
    static final String PLACEHOLDER = "__debezium_unavailable_value";

    private static final String BASE64 = Base64.getEncoder().encodeToString(JsonCursor.ascii(PLACEHOLDER));
    private static final ByteSearch AS_TEXT = new ByteSearch(JsonCursor.ascii(PLACEHOLDER));
    private static final ByteSearch AS_BASE64 = new ByteSearch(JsonCursor.ascii(BASE64));

    /** A column of text, of bytes, of an array of texts, and of an hstore as a map or as text. */
    private static final List<byte[]> PLACEHOLDER_VALUES = Stream.of(
                    "\"" + PLACEHOLDER + "\"",
                    "\"" + BASE64 + "\"",
                    "[\"" + PLACEHOLDER + "\"]",
                    "{\"" + PLACEHOLDER + "\":\"" + PLACEHOLDER + "\"}",
                    "\"{\\\"" + PLACEHOLDER + "\\\":\\\"" + PLACEHOLDER + "\\\"}\"")
            .map(JsonCursor::ascii)
            .toList();

    private final UnavailableValues unavailable;
    private final JsonColumns jsonColumns;
    private final JsonCursor cursor = new JsonCursor();

    RowColumns(UnavailableValues unavailable, JsonColumns jsonColumns) {
        this.unavailable = requireNonNull(unavailable, "unavailable");
        this.jsonColumns = requireNonNull(jsonColumns, "jsonColumns");
    }

    /**
     * The document of a row.
     *
     * @param row a JSON object
     * @param ofSchema the columns with JSON as text, as the event's schema says
     * @param isUpdate whether there is an older row that has the unchanged columns
     * @throws RefusedException when a placeholder must not be written
     */
    ByteSlice document(ByteSlice row, List<byte[]> ofSchema, boolean isUpdate) {
        List<byte[]> texts = jsonColumns.with(ofSchema);
        boolean hasPlaceholder = unavailable != UnavailableValues.WRITE && (AS_TEXT.isIn(row) || AS_BASE64.isIn(row));
        return texts.isEmpty() && !hasPlaceholder ? row : rewritten(row, texts, hasPlaceholder, isUpdate);
    }

    private ByteSlice rewritten(ByteSlice row, List<byte[]> texts, boolean hasPlaceholder, boolean isUpdate) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(row.length());
        boolean isChanged = false;
        cursor.open(row);
        while (cursor.next()) {
            ByteSlice name = cursor.name();
            boolean isText = cursor.isString() && texts.stream().anyMatch(cursor::isNamed);
            ByteSlice value = cursor.take();
            if (hasPlaceholder && isPlaceholder(value)) {
                if (unavailable == UnavailableValues.FAIL) {
                    throw unavailable(
                            "has no value, because the update did not change it; set REPLICA IDENTITY FULL for the"
                                    + " source's table");
                }
                if (!isUpdate) {
                    throw unavailable("has no value, and no older row with this key has it: the row's key changed; set"
                            + " REPLICA IDENTITY FULL for the source's table");
                }
                isChanged = true;
                continue;
            }
            ByteSlice written = isText ? embedded(value) : value;
            isChanged |= !written.equals(value);
            out.write(out.size() == 0 ? '{' : ',');
            out.write(name.array(), name.from() - 1, name.length() + 2); // with its quotes
            out.write(':');
            out.write(written.array(), written.from(), written.length());
        }
        if (!isChanged) {
            return row;
        }
        if (out.size() == 0) {
            out.write('{');
        }
        out.write('}');
        return ByteSlice.of(out.toByteArray());
    }

    private static RefusedException unavailable(String what) {
        return new RefusedException(
                "a column of the changed row " + what + ", or see " + EnvelopeSettings.UNAVAILABLE_VALUES);
    }

    private static boolean isPlaceholder(ByteSlice value) {
        return PLACEHOLDER_VALUES.stream()
                .anyMatch(known -> Arrays.equals(value.array(), value.from(), value.to(), known, 0, known.length));
    }

    /** The JSON in a text. A text that is no JSON stays a text. */
    private static ByteSlice embedded(ByteSlice string) {
        ByteSlice text = ByteSlice.of(Utf8.encode(JsonText.of(string)));
        return JsonText.isJson(text) ? text : string;
    }
}
