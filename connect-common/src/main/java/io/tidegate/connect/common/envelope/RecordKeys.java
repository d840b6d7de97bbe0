package io.tidegate.connect.common.envelope;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/**
 * Takes the keys of change events apart. Debezium's key is an object with the columns of the primary key, as JSON with or
 * without {@code schema} and {@code payload}, as {@code Struct} or as map. Anything else stays as it is. One thread.
 */
final class RecordKeys {
    private static final byte[] SCHEMA = JsonCursor.ascii("schema");
    private static final byte[] PAYLOAD = JsonCursor.ascii("payload");

    private final JsonCursor cursor = new JsonCursor();

    /**
     * The key in a form; null for null, as in Connect.
     *
     * @throws RefusedException when it has no such form
     */
    Object in(KeyForm form, Object key) {
        if (form.isText()) {
            return text(key);
        }
        Object object = object(key);
        return form.column().isPresent() ? column(form.column().get(), object) : object;
    }

    /** The text of a column, or the key itself when that is not JSON with this column as a scalar. */
    private Object column(String column, Object key) {
        Optional<ByteSlice> json = jsonOf(key);
        if (json.isEmpty()) {
            return key;
        }
        byte[] name = column.getBytes(StandardCharsets.UTF_8);
        Object found = key;
        cursor.open(json.get());
        while (cursor.next()) {
            if (found == key && cursor.isNamed(name) && !cursor.isNull() && !cursor.isNested()) {
                found = textOf(cursor.isString(), cursor.take());
            } else {
                cursor.skip();
            }
        }
        cursor.end();
        return found;
    }

    private static String textOf(boolean isString, ByteSlice value) {
        return isString
                ? JsonText.of(value)
                : new String(value.array(), value.from(), value.length(), StandardCharsets.US_ASCII);
    }

    /** The object with the columns; null for null, as in Connect. */
    Object object(Object key) {
        if (key instanceof Map<?, ?> map
                && map.size() == 2
                && map.containsKey("schema")
                && map.containsKey("payload")) {
            return map.get("payload");
        }
        Optional<ByteSlice> json = jsonOf(key);
        return json.isPresent()
                ? payload(json.get()).map(payload -> (Object) payload.bytes()).orElse(key)
                : key;
    }

    /**
     * A text that identifies the row: that of the only column, or a JSON array of the texts of several. Null for null,
     * as in Connect.
     *
     * @throws RefusedException when a column has no text
     */
    Object text(Object key) {
        Object object = object(key);
        if (object instanceof Struct struct) {
            List<String> texts = new ArrayList<>();
            for (Field field : struct.schema().fields()) {
                texts.add(ScalarText.of(what(field.name()), struct.get(field)));
            }
            return joined(texts);
        }
        if (object instanceof Map<?, ?> map) {
            List<String> texts = new ArrayList<>();
            map.forEach((name, value) -> texts.add(ScalarText.of(what(String.valueOf(name)), value)));
            return joined(texts);
        }
        Optional<ByteSlice> json = jsonOf(object);
        return json.isPresent() ? joined(textsIn(json.get())) : object;
    }

    private static String what(String column) {
        return "the column " + column + " of the key";
    }

    private static String joined(List<String> texts) {
        if (texts.isEmpty()) {
            throw new RefusedException("the key is an object without fields");
        }
        if (texts.size() == 1) {
            return texts.get(0);
        }
        StringBuilder json = new StringBuilder("[");
        for (String text : texts) {
            json.append(json.length() == 1 ? "\"" : ",\"")
                    .append(JsonStringEncoder.getInstance().quoteAsString(text))
                    .append('"');
        }
        return json.append(']').toString();
    }

    private List<String> textsIn(ByteSlice json) {
        List<String> texts = new ArrayList<>(1);
        cursor.open(json);
        while (cursor.next()) {
            boolean isString = cursor.isString();
            boolean isScalar = !cursor.isNull() && !cursor.isNested();
            ByteSlice value = cursor.take();
            if (!isScalar) {
                throw new RefusedException(
                        "a column of the key is null or structured, and a string, a number or a boolean is needed");
            }
            String text = textOf(isString, value);
            if (text.isEmpty()) {
                throw new RefusedException("a column of the key is empty");
            }
            texts.add(text);
        }
        cursor.end();
        return texts;
    }

    /** The key as JSON if it is an object in text or bytes. */
    private static Optional<ByteSlice> jsonOf(Object key) {
        Optional<ByteSlice> json = key instanceof byte[] bytes
                ? Optional.of(ByteSlice.of(bytes))
                : key instanceof ByteSlice slice
                        ? Optional.of(slice)
                        : key instanceof String || key instanceof ByteBuffer
                                ? ScalarText.bytesOf(key).map(ByteSlice::of)
                                : Optional.empty();
        return json.filter(text -> !text.isEmpty() && text.array()[text.from()] == '{');
    }

    /** What {@code payload} contains, if {@code schema} is the only field beside it. */
    private Optional<ByteSlice> payload(ByteSlice json) {
        Optional<ByteSlice> payload = Optional.empty();
        boolean hasSchema = false;
        cursor.open(json);
        while (cursor.next()) {
            if (cursor.isNamed(SCHEMA)) {
                hasSchema = true;
                cursor.skip();
            } else if (cursor.isNamed(PAYLOAD)) {
                payload = Optional.of(cursor.take());
            } else {
                return Optional.empty();
            }
        }
        cursor.end();
        return hasSchema ? payload : Optional.empty();
    }
}
