package io.tidegate.connect.common.document;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A record's metadata as text, to be stored beside its value. Bytes are text where they are UTF-8, and Base64
 * where they are not. Not thread-safe: one lane's.
 */
public final class MetadataEncoder {
    private final JsonEncoder encoder;

    public MetadataEncoder(FieldDefaults defaults) {
        this.encoder = new JsonEncoder(defaults);
    }

    /**
     * The record's key in UTF-8: text and numbers as they are, everything else as JSON; empty without a key.
     *
     * @throws RefusedException when the key has no JSON form
     */
    public Optional<byte[]> keyOf(SinkRecord record) {
        return Optional.ofNullable(record.key()).map(key -> {
            Object readable = readable(key);
            return readable instanceof String || readable instanceof Number || readable instanceof Boolean
                    ? readable.toString().getBytes(StandardCharsets.UTF_8)
                    : encoder.encode(record.keySchema(), readable);
        });
    }

    /**
     * The record's headers as a JSON object; empty without headers. Of several headers with one name the last one counts,
     * as it does for {@link org.apache.kafka.connect.header.Headers#lastWithName}.
     *
     * @throws RefusedException when a header has no JSON form
     */
    public Optional<byte[]> headersOf(SinkRecord record) {
        if (record.headers().isEmpty()) {
            return Optional.empty();
        }
        Map<String, SchemaAndValue> headers = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), new SchemaAndValue(header.schema(), readable(header.value())));
        }
        return Optional.of(encoder.encodeFields(headers));
    }

    private static Object readable(Object value) {
        if (!(value instanceof byte[] bytes)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    }
}
