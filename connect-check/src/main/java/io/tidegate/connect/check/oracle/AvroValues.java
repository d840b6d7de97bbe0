package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/** Reads the only Avro schema that histories have, behind a frame of five bytes. */
public final class AvroValues {
    /** The schema of the values. */
    public static final String SCHEMA = """
            {"type": "record", "name": "Reading", "fields": [
              {"name": "n", "type": "long"},
              {"name": "id", "type": "string"},
              {"name": "version", "type": "long"},
              {"name": "text", "type": ["null", "string"], "default": null}]}""";

    private static final Schema PARSED = new Schema.Parser().parse(SCHEMA);
    private static final int FRAME = 5;

    private AvroValues() {}

    static Optional<JsonNode> read(ByteBuffer bytes) {
        if (bytes.remaining() <= FRAME || bytes.get(bytes.position()) != 0) {
            return Optional.empty();
        }
        byte[] payload = new byte[bytes.remaining() - FRAME];
        bytes.duplicate().position(bytes.position() + FRAME).get(payload);
        try {
            GenericRecord read = new GenericDatumReader<GenericRecord>(PARSED)
                    .read(null, DecoderFactory.get().binaryDecoder(payload, null));
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("n", (Long) read.get("n"));
            json.put("id", read.get("id").toString());
            json.put("version", (Long) read.get("version"));
            json.put("text", read.get("text") == null ? null : read.get("text").toString());
            return Optional.of(json);
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
