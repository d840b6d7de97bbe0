package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A record's metadata as text, to be stored beside its value. Bytes are text where they are UTF-8, and Base64
 * where they are not. Not thread-safe: one lane's.
 */
public final class MetadataEncoder {
    private final JsonEncoder encoder;
    private final UnaryOperator<byte[]> texts;
    private final UnaryOperator<byte[]> jsons;

    /**
     * An encoder that looks at what it made, too.
     *
     * @param texts gives what is to be sent for a text; never writes to the array that it is given
     * @param jsons likewise for JSON
     */
    public MetadataEncoder(FieldDefaults defaults, UnaryOperator<byte[]> texts, UnaryOperator<byte[]> jsons) {
        this.encoder = new JsonEncoder(defaults);
        this.texts = requireNonNull(texts, "texts");
        this.jsons = requireNonNull(jsons, "jsons");
    }

    /**
     * The record's key in UTF-8: text and numbers as they are, everything else as JSON; empty without a key.
     *
     * @throws RefusedException when the key has no JSON form
     */
    public Optional<byte[]> keyOf(SinkRecord record) {
        return Optional.ofNullable(record.key()).map(MetadataEncoder::readable).map(key -> ScalarText.bytesOf(key)
                .map(texts)
                .orElseGet(() -> jsons.apply(encoder.encode(record.keySchema(), key))));
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
        return Optional.of(jsons.apply(encoder.encodeFields(headers)));
    }

    private static Object readable(Object value) {
        if (!(value instanceof byte[] || value instanceof ByteBuffer)) {
            return value;
        }
        byte[] bytes = ScalarText.bytesOf(value).orElseThrow();
        return Utf8.isWellFormed(bytes)
                ? new String(bytes, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(bytes);
    }
}
