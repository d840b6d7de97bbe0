package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Rows in change events as Debezium's connector for PostgreSQL writes them: each an update that changed nothing, of a
 * table with REPLICA IDENTITY FULL. Positions and times count up from the first. Not thread-safe.
 */
public final class ChangeEvents {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long FIRST_POSITION = 24_023_128;
    private static final long FIRST_TIME = 1_420_070_400_000L;

    private final byte[] head;
    private final String end;
    private long number;

    private ChangeEvents(String head, String end) {
        this.head = (head + "{\"before\":").getBytes(UTF_8);
        this.end = end;
    }

    public static ChangeEvents withoutSchema() {
        return new ChangeEvents("", "");
    }

    /** Each event has the schema, which is that of this row. */
    public static ChangeEvents withSchema(byte[] row) {
        try {
            return new ChangeEvents("{\"schema\":" + schema(JSON.readTree(row)) + ",\"payload\":", "}");
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The event of an update that left this row as it is. */
    public byte[] of(byte[] row) {
        long position = FIRST_POSITION + 64 * number;
        long time = FIRST_TIME + number++;
        ByteArrayOutputStream event = new ByteArrayOutputStream(head.length + 2 * row.length + 1024);
        event.writeBytes(head);
        event.writeBytes(row);
        event.writeBytes(",\"after\":".getBytes(UTF_8));
        event.writeBytes(row);
        event.writeBytes((",\"source\":{\"version\":\"3.6.0.Final\",\"connector\":\"postgresql\",\"name\":\"tides\""
                        + times(time)
                        + ",\"snapshot\":\"false\",\"db\":\"tides\",\"sequence\":\"[\\\"" + (position - 64)
                        + "\\\",\\\""
                        + position + "\\\"]\",\"schema\":\"public\",\"table\":\"readings\",\"txId\":" + (740 + number)
                        + ",\"lsn\":" + position + ",\"xmin\":null},\"transaction\":null,\"op\":\"u\""
                        + times(time + 300) + "}" + end)
                .getBytes(UTF_8));
        return event.toByteArray();
    }

    private static String times(long ms) {
        return ",\"ts_ms\":" + ms + ",\"ts_us\":" + ms + "417,\"ts_ns\":" + ms + "417000";
    }

    private static ObjectNode schema(JsonNode row) {
        ObjectNode table = schema(row, "readings.Value");
        ObjectNode source = struct("io.debezium.connector.postgresql.Source");
        List.of("version", "connector", "name", "snapshot", "db", "sequence", "schema", "table")
                .forEach(name -> add(source, name, "string"));
        List.of("ts_ms", "ts_us", "ts_ns", "txId", "lsn", "xmin").forEach(name -> add(source, name, "int64"));
        ObjectNode transaction = struct("event.block");
        add(transaction, "id", "string");
        List.of("total_order", "data_collection_order").forEach(name -> add(transaction, name, "int64"));
        ObjectNode event = struct("tides.public.readings.Envelope");
        add(event, "before", table);
        add(event, "after", table);
        add(event, "source", source);
        add(event, "transaction", transaction);
        add(event, "op", "string");
        List.of("ts_ms", "ts_us", "ts_ns").forEach(name -> add(event, name, "int64"));
        return event;
    }

    private static ObjectNode schema(JsonNode value, String name) {
        return switch (value.getNodeType()) {
            case OBJECT -> {
                ObjectNode struct = struct("tides.public." + name);
                value.properties()
                        .forEach(field -> add(struct, field.getKey(), schema(field.getValue(), field.getKey())));
                yield struct;
            }
            case STRING -> optional("string");
            case NUMBER, NULL -> optional("double");
            case BOOLEAN -> optional("boolean");
            default -> throw new IllegalArgumentException("the field " + name + " has no simple form in a table");
        };
    }

    private static ObjectNode struct(String name) {
        ObjectNode struct = optional("struct").put("name", name);
        struct.putArray("fields");
        return struct;
    }

    private static ObjectNode optional(String type) {
        return JSON.createObjectNode().put("type", type).put("optional", true);
    }

    private static void add(ObjectNode struct, String name, String type) {
        add(struct, name, optional(type));
    }

    private static void add(ObjectNode struct, String name, ObjectNode type) {
        struct.withArray("fields").add(type.deepCopy().put("field", name));
    }
}
