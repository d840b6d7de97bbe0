package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Reads change events from JSON, with or without {@code schema} and {@code payload} around them, in one pass that copies
 * nothing. One thread.
 */
final class JsonEvents {
    private static final byte[] OP = JsonCursor.ascii("op");
    private static final byte[] AFTER = JsonCursor.ascii("after");
    private static final byte[] BEFORE = JsonCursor.ascii("before");
    private static final byte[] SOURCE = JsonCursor.ascii("source");
    private static final byte[] SCHEMA = JsonCursor.ascii("schema");
    private static final byte[] PAYLOAD = JsonCursor.ascii("payload");
    private static final byte[] SCHEMA_ID = JsonCursor.ascii("schemaId");

    private static final byte[] CONNECTOR = JsonCursor.ascii("connector");
    private static final byte[] CASSANDRA = JsonCursor.ascii("\"cassandra\"");

    /** The fields that count, each at most once. */
    private enum Part {
        SCHEMA,
        PAYLOAD,
        OP,
        BEFORE,
        AFTER,
        SOURCE
    }

    private final JsonCursor cursor = new JsonCursor();
    private final EventSchema schemas = new EventSchema("after");
    private final JsonCursor parts = new JsonCursor();

    // Of the event that is being read.
    private final Set<Part> seen = EnumSet.noneOf(Part.class);
    private char operation;
    private ByteSlice before = ChangeEvent.NO_PART;
    private ByteSlice after = ChangeEvent.NO_PART;
    private ByteSlice source = ChangeEvent.NO_PART;
    private EventSchema.Row row = EventSchema.NO_ROW;
    private boolean isPayloadNull;

    /**
     * The event in a record's value, {@link ChangeEvent#TOMBSTONE}, or {@link ChangeEvent#NONE} for an object without
     * {@code op}.
     *
     * @throws RefusedException when it is none
     */
    ChangeEvent read(String topic, ByteSlice json) {
        seen.clear();
        before = ChangeEvent.NO_PART;
        after = ChangeEvent.NO_PART;
        source = ChangeEvent.NO_PART;
        row = EventSchema.NO_ROW;
        isPayloadNull = false;
        if (!cursor.open(json)) {
            throw NotAnEvent.because("it is no JSON object");
        }
        readAround(topic);
        cursor.end();
        if (isPayloadNull) {
            return ChangeEvent.TOMBSTONE;
        }
        if (!seen.contains(Part.OP)) {
            return ChangeEvent.NONE;
        }
        if (!seen.contains(Part.BEFORE)) { // only that connector has no such field
            refuseCells();
        }
        return new ChangeEvent(operation, before, after, source, row.columns(), row.schema());
    }

    private char letter() {
        cursor.skip();
        boolean isOne = cursor.position() - cursor.valueFrom() == 3;
        char letter = isOne ? (char) cursor.text()[cursor.valueFrom() + 1] : ' ';
        if (letter < 'a' || letter > 'z') {
            throw NotAnEvent.because("its `op` is no letter");
        }
        return letter;
    }

    /** The outermost object: an event, or {@code schema} and {@code payload}. */
    private void readAround(String topic) {
        while (cursor.next()) {
            requirePlainName();
            if (cursor.isNamed(SCHEMA)) {
                once(Part.SCHEMA);
                row = schemas.row(topic, cursor);
            } else if (cursor.isNamed(PAYLOAD)) {
                if (seen.size() > (seen.contains(Part.SCHEMA) ? 1 : 0)) {
                    throw notAlone();
                }
                once(Part.PAYLOAD);
                readPayload();
            } else if (cursor.isNamed(SCHEMA_ID)) { // instead of a schema, from Apicurio's converter
                cursor.skip();
            } else if (seen.contains(Part.PAYLOAD)) {
                throw notAlone();
            } else {
                readMember();
            }
        }
    }

    private void readPayload() {
        if (!cursor.isObject()) {
            isPayloadNull = cursor.isNull();
            cursor.skip();
            if (!isPayloadNull) {
                throw NotAnEvent.because("its `payload` is no object");
            }
            return;
        }
        cursor.enter();
        while (cursor.next()) {
            requirePlainName();
            readMember();
        }
    }

    private static RefusedException notAlone() {
        return NotAnEvent.because("it has other parts beside `payload` and `schema`, or `payload` twice");
    }

    private void requirePlainName() {
        if (cursor.isNameEscaped()) {
            throw NotAnEvent.because("the name of one of its fields has an escape");
        }
    }

    private void readMember() {
        if (cursor.isNamed(OP)) {
            once(Part.OP);
            operation = letter();
        } else if (cursor.isNamed(AFTER)) {
            once(Part.AFTER);
            after = part("after");
        } else if (cursor.isNamed(BEFORE)) {
            once(Part.BEFORE);
            before = part("before");
        } else if (cursor.isNamed(SOURCE)) {
            once(Part.SOURCE);
            source = part("source");
        } else {
            cursor.skip();
        }
    }

    /** Cassandra's connector writes cells, not rows, and means a range of deleted rows by {@code r}. */
    private void refuseCells() {
        boolean isObject = parts.open(source);
        while (isObject && parts.next()) {
            if (parts.isNamed(CONNECTOR)
                    && Arrays.equals(CASSANDRA, parts.take().bytes())) {
                throw NotAnEvent.because("it is of Debezium's connector for Cassandra, whose events have another form");
            }
            parts.skip();
        }
    }

    /** A part is an object, or null, or an object as text, as MongoDB's connector writes it. */
    private ByteSlice part(String name) {
        boolean isObject = cursor.isObject();
        boolean isString = cursor.isString();
        boolean isNull = cursor.isNull();
        ByteSlice json = cursor.take();
        if (isNull) {
            return ChangeEvent.NO_PART;
        }
        if (isString) {
            return ByteSlice.of(Utf8.encode(JsonText.of(json)));
        }
        if (!isObject) {
            throw NotAnEvent.because("its `" + name + "` is no object");
        }
        return json;
    }

    private void once(Part part) {
        if (!seen.add(part)) {
            throw NotAnEvent.because("it has `" + part.name().toLowerCase(Locale.ROOT) + "` twice");
        }
    }

    /** The names of an object's fields; those of the payload, if there is one. */
    Set<String> names(ByteSlice json) {
        Set<String> names = new HashSet<>();
        parts.open(json);
        while (parts.next()) {
            if (parts.isNamed(PAYLOAD) && parts.isObject()) {
                names.clear();
                parts.enter();
                while (parts.next()) {
                    names.add(nameOfMember());
                    parts.skip();
                }
                return names;
            }
            names.add(nameOfMember());
            parts.skip();
        }
        return names;
    }

    private String nameOfMember() {
        ByteSlice name = parts.name();
        return new String(name.array(), name.from(), name.length(), StandardCharsets.UTF_8);
    }
}
