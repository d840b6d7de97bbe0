package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidegate.connect.common.document.FramedKeys;
import io.tidegate.connect.common.document.KeyRule;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.field.FieldTypes;
import io.tidegate.connect.jsonb.settings.KeyField;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the key that identifies a record's row, as one text. A single field gives its text. Several fields give a JSON
 * array, which the server splits again. The task thread uses it.
 */
final class RowKeys {
    private static final Logger log = LoggerFactory.getLogger(RowKeys.class);

    private static final int LOOKS_EVERY = 1_000;

    private final RowSettings row;
    private final RecordFields fields;
    private final KeyObjects objects;
    private final Set<String> columns; // of the record's key that are used
    private final JsonCursor cursor = new JsonCursor();
    private int keys; // so far
    private boolean hasOtherColumns; // a key had some
    private Schema last = SchemaBuilder.struct().build();
    private Set<KeyField> bytes = Set.of(); // the fields that are bytes by the last schema

    /** Whether a key of text or bytes may be a JSON object, even if the row has one key column. */
    enum KeyObjects {
        /** Only where the column's path leads into one. */
        BY_PATH,
        /** It may be. */
        POSSIBLE,
        /** It may be, and is expected to have no other columns. */
        WHOLE
    }

    private RowKeys(RowSettings row, RecordFields fields, KeyObjects objects) {
        this.row = requireNonNull(row, "row");
        this.fields = requireNonNull(fields, "fields");
        this.objects = objects == KeyObjects.BY_PATH && hasPath(row.key()) ? KeyObjects.POSSIBLE : objects;
        this.columns =
                row.key().stream().map(field -> field.path().stepTexts().get(0)).collect(Collectors.toSet());
    }

    private static boolean hasPath(List<KeyField> key) {
        return key.stream().anyMatch(field -> !field.path().stepTexts().equals(List.of(field.column())));
    }

    /**
     * The rule of one task.
     *
     * @param objects in record keys
     */
    static KeyRule of(RowSettings row, KeyObjects objects) {
        List<JsonPath> paths = row.key().stream().map(KeyField::path).toList();
        return switch (row.keyMode()) {
            case NONE, KAFKA -> KeyRule.NONE;
            case RECORD_KEY -> new RowKeys(row, RecordFields.ofKey(paths), objects)::ofKey;
            case RECORD_VALUE -> new RowKeys(row, new RecordFields(paths), KeyObjects.BY_PATH)::ofFields;
        };
    }

    private byte[] ofKey(SinkRecord record) {
        Object key = record.key();
        if (FramedKeys.contain(key)) {
            throw new RefusedException(FramedKeys.REASON);
        }
        if (objects == KeyObjects.WHOLE && key instanceof byte[] json) {
            warnOfOtherColumns(record.topic(), json);
        }
        if (row.key().size() > 1 || key instanceof Struct || key instanceof Map<?, ?> || isObject(key)) {
            return ofFields(record);
        }
        return ScalarText.bytesOf(key)
                .map(row.values().characters()::text)
                .filter(text -> text.length > 0)
                .orElseThrow(() -> new RefusedException("the record's key is "
                        + (key == null
                                ? "null"
                                : "an empty or unsuitable " + key.getClass().getSimpleName())
                        + ", and " + RowSettings.PK_MODE
                        + "=record_key needs a text, a number, UTF-8 bytes or an object"));
    }

    private boolean isObject(Object key) {
        if (objects == KeyObjects.BY_PATH) {
            return false;
        }
        return key instanceof byte[] bytes
                ? bytes.length > 0 && bytes[0] == '{'
                : key instanceof String text && text.startsWith("{");
    }

    /** Rows that differ only in such a column replace each other. Looks at few keys, until it has found one. */
    private void warnOfOtherColumns(String topic, byte[] key) {
        if (hasOtherColumns || keys++ % LOOKS_EVERY != 0) {
            return;
        }
        boolean isObject = cursor.open(ByteSlice.of(key));
        for (int count = 0; isObject && cursor.next(); count++) {
            if (count == columns.size()) {
                hasOtherColumns = true;
                log.warn(
                        "{}: a record's key has more columns than pk.fields uses. Rows that differ only in the others become"
                                + " one; if the source has such rows, name all columns of the key",
                        topic);
                return;
            }
            cursor.skip();
        }
    }

    private byte[] ofFields(SinkRecord record) {
        if (row.key().size() == 1) {
            FieldValue value = field(record, row.key().get(0));
            byte[] only = row.values()
                    .characters()
                    .text(
                            isBytes(record, row.key().get(0))
                                    ? Utf8.encode(FieldTypes.hexadecimal(value.text()))
                                    : value.utf8());
            if (only.length == 0) {
                throw new RefusedException(missing(row.key().get(0), "empty"));
            }
            return only;
        }
        StringJoiner texts = new StringJoiner("\",\"", "[\"", "\"]");
        for (KeyField field : row.key()) {
            String text = field(record, field).text();
            // Encoded again: JSON has several forms for one text, but equal keys must be equal bytes.
            texts.add(String.valueOf(JsonStringEncoder.getInstance()
                    .quoteAsString(isBytes(record, field) ? FieldTypes.hexadecimal(text) : text)));
        }
        return row.values()
                .characters()
                .json(ByteSlice.of(Utf8.encode(texts.toString())))
                .bytes();
    }

    /** Whether the schema says that the field's text is bytes in Base64. Records that follow each other have one schema. */
    @SuppressWarnings("ReferenceEquality") // equal schemas may be asked again
    private boolean isBytes(SinkRecord record, KeyField field) {
        boolean isOfKey = row.keyMode() == KeyMode.RECORD_KEY;
        Schema schema = isOfKey && record.key() instanceof Struct key
                ? key.schema()
                : isOfKey ? record.keySchema() : record.valueSchema();
        if (schema == null || schema.type() != Schema.Type.STRUCT) {
            return false;
        }
        if (schema != last) {
            last = schema;
            bytes = row.key().stream()
                    .filter(each -> each.path().stepTexts().size() == 1
                            && FieldTypes.isBytes(
                                    Optional.of(schema), each.path().stepTexts().get(0)))
                    .collect(Collectors.toSet());
        }
        return bytes.contains(field);
    }

    private FieldValue field(SinkRecord record, KeyField field) {
        FieldValue value = fields.get(record, field.path());
        if (!value.isScalar()) {
            throw new RefusedException(missing(field, value.isPresent() ? "structured" : "not there or null"));
        }
        return value;
    }

    private String missing(KeyField field, String what) {
        return "the " + (row.keyMode() == KeyMode.RECORD_KEY ? "key" : "value") + " has no usable field " + field.path()
                + " for the column " + field.column() + ": it is " + what + "; see " + RowSettings.PK_FIELDS;
    }
}
