package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Takes the keys of change events apart. Debezium's key is an object with the columns of the primary key, as JSON with or
 * without {@code schema} and {@code payload}, as {@code Struct} or as map. All forms of a key become the same JSON; anything
 * else stays as it is. One thread.
 */
final class RecordKeys {
    private static final byte[] SCHEMA = JsonCursor.ascii("schema");
    private static final byte[] PAYLOAD = JsonCursor.ascii("payload");

    private final JsonEncoder encoder;
    private final RowColumns columns;
    private final EventSchema schemas = new EventSchema("");
    private final JsonCursor cursor = new JsonCursor();

    RecordKeys(JsonEncoder encoder, RowColumns columns) {
        this.encoder = requireNonNull(encoder, "encoder");
        this.columns = requireNonNull(columns, "columns");
    }

    /** The object with the columns as JSON in UTF-8, or the key itself if that is no object; null for null. */
    SchemaAndValue object(SinkRecord record) {
        Optional<Row> row = rowWithSchemaOf(record);
        return row.isPresent()
                ? new SchemaAndValue(
                        row.get().schema().orElse(null), row.get().json().bytes())
                : new SchemaAndValue(null, record.key());
    }

    /**
     * A text that identifies the row: that of the only column, or a JSON array of the texts of several, in the order of
     * the columns in the key. The key itself if that is no object; null for null.
     *
     * @throws RefusedException when a column has no text, or several columns have no order
     */
    SchemaAndValue text(SinkRecord record) {
        Optional<ByteSlice> row = rowOf(record).filter(RecordKeys::isObject);
        return row.isPresent() ? new SchemaAndValue(null, joined(textsIn(row.get()), record.key())) : object(record);
    }

    /** The columns of a key that is an object, without {@code schema} and {@code payload} around them. */
    Optional<ByteSlice> rowOf(SinkRecord record) {
        return rowWithSchemaOf(record).map(Row::json);
    }

    /**
     * The columns of a key.
     *
     * @param schema their types, if the key has them
     */
    private record Row(ByteSlice json, Optional<Schema> schema) {}

    private Optional<Row> rowWithSchemaOf(SinkRecord record) {
        Object key = record.key();
        Optional<Row> row = (key instanceof Struct || key instanceof Map
                        ? Optional.of(encoder.encode(record.keySchema(), key))
                        : jsonOf(key))
                .filter(RecordKeys::isObject)
                .map(json -> rowIn(record.topic(), json));
        return key instanceof Struct struct ? row.map(each -> new Row(each.json(), Optional.of(struct.schema()))) : row;
    }

    private static Optional<ByteSlice> jsonOf(Object key) {
        return key instanceof ByteSlice slice
                ? Optional.of(slice)
                : key instanceof byte[] || key instanceof String || key instanceof ByteBuffer
                        ? ScalarText.bytesOf(key).map(ByteSlice::of)
                        : Optional.empty();
    }

    private static boolean isObject(ByteSlice json) {
        return !json.isEmpty() && json.array()[json.from()] == '{';
    }

    /**
     * What {@code payload} contains, if {@code schema} is the only field beside it and an object or null. Otherwise they
     * are columns.
     */
    private Row rowIn(String topic, ByteSlice json) {
        ByteSlice payload = ChangeEvent.NO_PART;
        Optional<EventSchema.Row> schema = Optional.empty();
        cursor.open(json);
        while (cursor.next()) {
            if (cursor.isNamed(SCHEMA) && (cursor.isObject() || cursor.isNull())) {
                schema = Optional.of(schemas.row(topic, cursor));
            } else if (cursor.isNamed(PAYLOAD)) {
                payload = cursor.take();
            } else {
                return new Row(json, Optional.empty());
            }
        }
        cursor.end();
        return schema.isPresent() && !payload.isEmpty()
                ? new Row(
                        columns.decoded(payload, schema.get().columns()),
                        schema.get().schema())
                : new Row(json, Optional.empty());
    }

    private static String joined(List<String> texts, Object key) {
        if (texts.isEmpty()) {
            throw new RefusedException("the key is an object without fields");
        }
        if (texts.size() == 1) {
            if (texts.get(0).isEmpty()) { // beside others it is a text like any other
                throw new RefusedException("the key's only column is empty");
            }
            return texts.get(0);
        }
        if (key instanceof Map<?, ?> map && !hasOrder(map)) {
            throw new RefusedException("the key has several columns in a map, which does not keep their order: set"
                    + " key.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        StringBuilder json = new StringBuilder("[");
        for (String text : texts) {
            json.append(json.length() == 1 ? "\"" : ",\"")
                    .append(JsonStringEncoder.getInstance().quoteAsString(text))
                    .append('"');
        }
        return json.append(']').toString();
    }

    private static boolean hasOrder(Map<?, ?> key) {
        return (key.get("payload") instanceof Map<?, ?> payload ? payload : key) instanceof LinkedHashMap;
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
            String text = isString
                    ? JsonText.of(value)
                    : new String(value.array(), value.from(), value.length(), StandardCharsets.US_ASCII);
            texts.add(text);
        }
        cursor.end();
        return texts;
    }
}
