package io.tidegate.connect.common.envelope;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;

/** Reads change events from {@code Struct}s and maps. Pure. */
final class ConnectEvents {
    private ConnectEvents() {}

    /**
     * The event in a record's value.
     *
     * @throws io.tidegate.connect.common.value.RefusedException when it is none
     */
    static ChangeEvent read(String topic, Struct event) {
        SchemaAndValue operation = field(event, "op");
        if (operation.value() == null) {
            Set<String> names =
                    event.schema().fields().stream().map(Field::name).collect(Collectors.toSet());
            return NotAnEvent.eventOf(topic, names);
        }
        SchemaAndValue after = part(event, "after");
        boolean hasColumns = after.schema() != null && after.schema().type() == Schema.Type.STRUCT;
        return new ChangeEvent(
                letter(operation.value()),
                part(event, "before"),
                after,
                part(event, "source"),
                hasColumns ? EventSchema.jsonColumnsOf(after.schema()) : List.of());
    }

    /** The same from a map, which may have the event in {@code payload}. */
    static ChangeEvent read(String topic, Map<?, ?> value) {
        boolean isAround = value.containsKey("payload") && !value.containsKey("op");
        if (isAround && value.get("payload") == null) {
            return ChangeEvent.TOMBSTONE;
        }
        if (isAround && !(value.get("payload") instanceof Map)) {
            throw NotAnEvent.because("its `payload` is no object");
        }
        Map<?, ?> event = isAround ? (Map<?, ?>) value.get("payload") : value;
        if (event.get("op") == null) {
            Set<String> names = new HashSet<>();
            event.keySet().forEach(name -> names.add(String.valueOf(name)));
            return NotAnEvent.eventOf(topic, names);
        }
        return new ChangeEvent(
                letter(event.get("op")), part(event, "before"), part(event, "after"), part(event, "source"), List.of());
    }

    private static SchemaAndValue part(Struct event, String name) {
        SchemaAndValue part = field(event, name);
        return part.value() == null ? SchemaAndValue.NULL : checked(name, part);
    }

    private static SchemaAndValue part(Map<?, ?> event, String name) {
        Object part = event.get(name);
        return part == null ? SchemaAndValue.NULL : checked(name, new SchemaAndValue(null, part));
    }

    /** MongoDB's connector writes documents as text. */
    private static SchemaAndValue checked(String name, SchemaAndValue part) {
        if (part.value() instanceof Struct || part.value() instanceof Map || part.value() instanceof String) {
            return part;
        }
        throw NotAnEvent.because("its `" + name + "` is no object");
    }

    /** A field that may be missing, without the default of its schema. */
    static SchemaAndValue field(Struct struct, String name) {
        Field field = struct.schema().field(name);
        return field == null ? SchemaAndValue.NULL : new SchemaAndValue(field.schema(), struct.getWithoutDefault(name));
    }

    private static char letter(Object operation) {
        if (operation instanceof String letter && letter.length() == 1) {
            return letter.charAt(0);
        }
        throw NotAnEvent.because("its `op` is no letter");
    }
}
