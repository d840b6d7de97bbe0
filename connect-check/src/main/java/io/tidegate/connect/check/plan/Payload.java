package io.tidegate.connect.check.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.IntSupplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Bytes in a notation that a person can read and write: {@code text:TEXT}, {@code hex:BYTES}, {@code framed:TEXT} (behind a
 * frame of a schema registry), {@code avro:JSON} (the same, as Avro), {@code big:N:TEXT} ({@code TEXT} with {@code @} replaced
 * by N letters).
 */
public final class Payload {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FRAME = 5;

    private final Schema schema;
    private final IntSupplier schemaId;

    /**
     * Makes frames with this id.
     *
     * @param schema of {@code avro:}
     * @param schemaId called for each frame
     */
    public Payload(String schema, IntSupplier schemaId) {
        this.schema = new Schema.Parser().parse(schema);
        this.schemaId = schemaId;
    }

    /**
     * The bytes, or {@code null} for an empty text, as a producer takes them.
     *
     * @throws IllegalArgumentException for an unknown notation
     */
    public byte[] bytes(String text) {
        if (text.isEmpty()) {
            return null;
        }
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (text.substring(0, Math.max(colon, 0))) {
            case "text" -> rest.getBytes(StandardCharsets.UTF_8);
            case "hex" -> HexFormat.of().parseHex(rest);
            case "framed" -> framed(7, rest.getBytes(StandardCharsets.UTF_8));
            case "avro" -> framed(schemaId.getAsInt(), avro(rest));
            case "big" -> big(rest).getBytes(StandardCharsets.UTF_8);
            default -> throw new IllegalArgumentException("Unknown notation: " + text);
        };
    }

    private static String big(String rest) {
        int colon = rest.indexOf(':');
        return rest.substring(colon + 1).replace("@", "x".repeat(Integer.parseInt(rest.substring(0, colon))));
    }

    private static byte[] framed(int id, byte[] payload) {
        return ByteBuffer.allocate(FRAME + payload.length)
                .put((byte) 0)
                .putInt(id)
                .put(payload)
                .array();
    }

    private byte[] avro(String json) {
        try {
            JsonNode node = JSON.readTree(json);
            GenericRecord record = new GenericData.Record(schema);
            record.put("n", node.path("n").asLong());
            record.put("id", node.path("id").asText());
            record.put("version", node.path("version").asLong());
            record.put("text", node.path("text").isTextual() ? node.path("text").asText() : null);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
