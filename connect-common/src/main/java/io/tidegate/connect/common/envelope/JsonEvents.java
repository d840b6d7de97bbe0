package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.SchemaAndValue;

/**
 * Reads change events from JSON, with or without {@code schema} and {@code payload} around them, in one pass that copies
 * nothing. It remembers the last schema of each topic, because converters repeat it in every event. One thread.
 */
final class JsonEvents {
    /** Most topics whose schemas are remembered. */
    private static final int MAX_TOPICS = 1_000;

    private static final int NO_REST = -1;

    private static final byte[] OP = JsonCursor.ascii("op");
    private static final byte[] AFTER = JsonCursor.ascii("after");
    private static final byte[] BEFORE = JsonCursor.ascii("before");
    private static final byte[] SOURCE = JsonCursor.ascii("source");
    private static final byte[] SCHEMA = JsonCursor.ascii("schema");
    private static final byte[] PAYLOAD = JsonCursor.ascii("payload");

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
    private final Map<String, KnownSchema> schemas = new HashMap<>();
    private ByteSlice lastSource = ByteSlice.of(JsonCursor.ascii("{}"));
    private LastRest lastRest = LastRest.NONE;

    // Of the event that is being read.
    private final Set<Part> seen = EnumSet.noneOf(Part.class);
    private char operation;
    private SchemaAndValue before = SchemaAndValue.NULL;
    private SchemaAndValue after = SchemaAndValue.NULL;
    private SchemaAndValue source = SchemaAndValue.NULL;
    private List<byte[]> jsonColumns = List.of();
    private boolean isPayloadNull;
    private boolean isComplete;
    private int restFrom; // where the source ended, if only the operation may count after it; else NO_REST

    /** What followed the source of the last event, where that was its operation and nothing else that counts. */
    private record LastRest(ByteSlice json, boolean isInPayload, char operation) {
        static final LastRest NONE = new LastRest(ByteSlice.of(new byte[0]), false, ' ');
    }

    /** A schema as it is written in events, and what it says. */
    private record KnownSchema(ByteSlice json, List<byte[]> jsonColumns) {}

    /**
     * The event in a record's value.
     *
     * @throws RefusedException when it is none
     */
    ChangeEvent read(String topic, ByteSlice json) {
        seen.clear();
        before = SchemaAndValue.NULL;
        after = SchemaAndValue.NULL;
        source = SchemaAndValue.NULL;
        jsonColumns = List.of();
        isPayloadNull = false;
        isComplete = false;
        restFrom = NO_REST;
        if (!cursor.open(json)) {
            throw NotAnEvent.because("it is no JSON object");
        }
        readAround(topic);
        cursor.end();
        remember(json);
        if (isPayloadNull) {
            return ChangeEvent.TOMBSTONE;
        }
        if (!seen.contains(Part.OP)) {
            return NotAnEvent.eventOf(topic, namesIn(json));
        }
        return new ChangeEvent(operation, before, after, source, jsonColumns);
    }

    private static char letter(ByteSlice json) {
        if (json.length() != 3 || json.array()[json.from()] != '"') {
            throw NotAnEvent.because("its `op` is no letter");
        }
        return (char) json.array()[json.from() + 1];
    }

    /** The outermost object: an event, or {@code schema} and {@code payload}. */
    private void readAround(String topic) {
        while (!isComplete && cursor.next()) {
            requirePlainName();
            if (cursor.isNamed(SCHEMA)) {
                once(Part.SCHEMA);
                jsonColumns = schemaOf(topic);
            } else if (cursor.isNamed(PAYLOAD)) {
                if (seen.size() > (seen.contains(Part.SCHEMA) ? 1 : 0)) {
                    throw notAlone();
                }
                once(Part.PAYLOAD);
                readPayload();
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
        while (!isComplete && cursor.next()) {
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
        switch (cursor.nameLength()) {
            case 2 -> {
                if (cursor.isNamed(OP)) {
                    once(Part.OP);
                    operation = letter(cursor.take());
                    return;
                }
            }
            case 5 -> {
                if (cursor.isNamed(AFTER)) {
                    once(Part.AFTER);
                    after = part("after");
                    return;
                }
            }
            case 6 -> {
                if (cursor.isNamed(BEFORE)) {
                    once(Part.BEFORE);
                    before = part("before");
                    return;
                }
                if (cursor.isNamed(SOURCE)) {
                    once(Part.SOURCE);
                    source = source();
                    readRest();
                    return;
                }
            }
            default -> {}
        }
        cursor.skip();
    }

    /** Most events differ from the one before in the numbers of their source only: times and positions. */
    private SchemaAndValue source() {
        if (cursor.skipIfAlike(lastSource)) {
            return new SchemaAndValue(null, cursor.skipped());
        }
        boolean isObject = cursor.isObject();
        SchemaAndValue read = part("source");
        if (isObject) {
            lastSource = cursor.skipped();
        }
        return read;
    }

    /** Reads what follows the source if it differs from what followed the last one in its digits only. */
    private void readRest() {
        if (seen.contains(Part.OP)) {
            return;
        }
        isComplete = lastRest.isInPayload() == seen.contains(Part.PAYLOAD) && cursor.skipRestIfAlike(lastRest.json());
        if (isComplete) {
            seen.add(Part.OP);
            operation = lastRest.operation();
        } else {
            restFrom = cursor.position();
        }
    }

    private void remember(ByteSlice json) {
        if (restFrom != NO_REST && seen.contains(Part.OP) && Character.isLetter(operation)) {
            lastRest = new LastRest(
                    ByteSlice.of(json.array(), restFrom, json.to()), seen.contains(Part.PAYLOAD), operation);
        }
    }

    /** A part is an object, or null, or an object as text, as MongoDB's connector writes it. */
    private SchemaAndValue part(String name) {
        boolean isObject = cursor.isObject();
        boolean isString = cursor.isString();
        boolean isNull = cursor.isNull();
        ByteSlice json = cursor.take();
        if (isNull) {
            return SchemaAndValue.NULL;
        }
        if (isString) {
            return new SchemaAndValue(null, ByteSlice.of(Utf8.encode(JsonText.of(json))));
        }
        if (!isObject) {
            throw NotAnEvent.because("its `" + name + "` is no object");
        }
        return new SchemaAndValue(null, json);
    }

    private void once(Part part) {
        if (!seen.add(part)) {
            throw NotAnEvent.because("it has `" + part.name().toLowerCase(Locale.ROOT) + "` twice");
        }
        if (part != Part.OP) {
            restFrom = NO_REST;
        }
    }

    private List<byte[]> schemaOf(String topic) {
        KnownSchema known = schemas.get(topic);
        if (known != null && cursor.skipIf(known.json())) {
            return known.jsonColumns();
        }
        ByteSlice json = cursor.take();
        List<byte[]> columns = EventSchema.jsonColumnsOf(json);
        if (schemas.size() >= MAX_TOPICS) {
            schemas.clear();
        }
        byte[] copy = new byte[json.length()]; // without the rest of the event
        System.arraycopy(json.array(), json.from(), copy, 0, copy.length);
        schemas.put(topic, new KnownSchema(ByteSlice.of(copy), columns));
        return columns;
    }

    /** The names of an object that is no event, for the reason; those of the payload, if there is one. */
    private Set<String> namesIn(ByteSlice json) {
        Set<String> names = new HashSet<>();
        cursor.open(json);
        while (cursor.next()) {
            if (seen.contains(Part.PAYLOAD) && cursor.isNamed(PAYLOAD)) {
                names.clear();
                cursor.enter();
                while (cursor.next()) {
                    names.add(nameOfMember());
                    cursor.skip();
                }
                return names;
            }
            names.add(nameOfMember());
            cursor.skip();
        }
        return names;
    }

    private String nameOfMember() {
        ByteSlice name = cursor.name();
        return new String(name.array(), name.from(), name.length(), StandardCharsets.UTF_8);
    }
}
