package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.envelope.EnvelopeSettings.UnavailableValues;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts right what change events say of single columns: JSON that is not a column's value becomes its value, and the
 * placeholders of unchanged columns are treated as the settings say. A row without either is passed on as it is. One
 * thread.
 */
final class RowColumns {
    private final UnavailableValues unavailable;
    private final boolean isJsonBySchema;
    private final List<Column> named; // of JSON, by the setting
    private final JsonEncoder encoder;
    private final List<byte[]> placeholders; // as they are written in JSON
    private final List<ByteSearch> searches; // each placeholder contains one of these
    private final JsonCursor cursor = new JsonCursor();
    private boolean hasLeftOut; // a column of the last document

    RowColumns(EnvelopeSettings settings, JsonEncoder encoder) {
        this.unavailable = settings.unavailable();
        this.isJsonBySchema = settings.jsonColumns().contains(EnvelopeSettings.AUTO);
        this.named = settings.jsonColumns().stream()
                .filter(name -> !name.equals(EnvelopeSettings.AUTO))
                .map(Column::ofJson)
                .toList();
        this.encoder = requireNonNull(encoder, "encoder");
        byte[] bytes = Utf8.encode(settings.placeholder());
        String text = quoted(settings.placeholder());
        String base64 = quoted(Base64.getEncoder().encodeToString(bytes));
        String uuid = quoted(UUID.nameUUIDFromBytes(bytes).toString());
        String numbers = Stream.iterate(0, i -> i < bytes.length, i -> i + 1)
                .map(i -> Byte.toString(bytes[i]))
                .collect(Collectors.joining(","));
        String map = "{" + text + ":" + text + "}"; // of an hstore, also as text
        this.placeholders = Stream.of(
                        text,
                        "[" + text + "]",
                        map,
                        quoted(map),
                        base64,
                        "[" + base64 + "]",
                        "[" + uuid + "]",
                        "[" + numbers + "]")
                .map(Utf8::encode)
                .toList();
        this.searches = unavailable == UnavailableValues.WRITE
                ? List.of()
                : Stream.of(text.substring(1, text.length() - 1), base64, "[" + uuid + "]", "[" + numbers + "]")
                        .map(part -> new ByteSearch(Utf8.encode(part)))
                        .toList();
    }

    private static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /**
     * The document of a row.
     *
     * @param row a JSON object
     * @param ofSchema the columns whose JSON is not their value, as the event's schema says
     * @param isUpdate whether there is an older row that has the unchanged columns
     * @throws RefusedException when a placeholder must not be written
     */
    ByteSlice document(ByteSlice row, List<Column> ofSchema, boolean isUpdate) {
        hasLeftOut = false;
        boolean hasPlaceholder = hasPlaceholder(row);
        return hasPlaceholder ? rewritten(row, ofSchema, true, isUpdate) : decoded(row, ofSchema);
    }

    /** Whether the last document lacks a column, because the update did not change it. */
    boolean hasLeftOut() {
        return hasLeftOut;
    }

    /** A row that is not written, or a key. */
    ByteSlice decoded(ByteSlice row, List<Column> ofSchema) {
        return named.isEmpty() && ofSchema.isEmpty() ? row : rewritten(row, ofSchema, false, false);
    }

    private boolean hasPlaceholder(ByteSlice row) {
        for (int i = 0; i < searches.size(); i++) {
            if (searches.get(i).isIn(row)) {
                return true;
            }
        }
        return false;
    }

    private ByteSlice rewritten(ByteSlice row, List<Column> ofSchema, boolean hasPlaceholder, boolean isUpdate) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(row.length());
        boolean isChanged = false;
        cursor.open(row);
        while (cursor.next()) {
            ByteSlice name = cursor.name();
            Optional<Column> column = column(ofSchema);
            ByteSlice value = cursor.take();
            if (hasPlaceholder && isPlaceholder(value)) {
                requireOlder(isUpdate);
                hasLeftOut = true;
                isChanged = true;
                continue;
            }
            ByteSlice written = column.isPresent() ? column.get().decoded(value, encoder) : value;
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

    /** The column where the cursor is, if its JSON is not its value. */
    private Optional<Column> column(List<Column> ofSchema) {
        for (Column column : ofSchema) {
            if (cursor.isNamed(column.name().array()) && (isJsonBySchema || !column.isJson())) {
                return Optional.of(column);
            }
        }
        for (Column column : named) {
            if (cursor.isNamed(column.name().array())) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }

    /** A column without a value can only be kept, in a row that has it. */
    private void requireOlder(boolean isUpdate) {
        if (unavailable == UnavailableValues.FAIL) {
            throw unavailable("has no value, because the update did not change it; set REPLICA IDENTITY FULL for the"
                    + " source's table");
        }
        if (!isUpdate) {
            throw unavailable("has no value, and no older row with this key has it: the row's key changed; set"
                    + " REPLICA IDENTITY FULL for the source's table");
        }
    }

    private static RefusedException unavailable(String what) {
        return new RefusedException(
                "a column of the changed row " + what + ", or see " + EnvelopeSettings.UNAVAILABLE_VALUES);
    }

    private boolean isPlaceholder(ByteSlice value) {
        return placeholders.stream()
                .anyMatch(known -> Arrays.equals(value.array(), value.from(), value.to(), known, 0, known.length));
    }
}
