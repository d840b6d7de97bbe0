package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
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
 * A record's metadata as text, stored next to its value. Bytes are text if they are UTF-8, otherwise Base64. Not
 * thread-safe: each lane has its own.
 */
public final class MetadataEncoder {
    private final JsonEncoder encoder;
    private final UnaryOperator<byte[]> texts;
    private final UnaryOperator<ByteSlice> jsons;

    /**
     * An encoder that also inspects its results.
     *
     * @param texts returns what is to be sent for a text; it must not change the array that it gets
     * @param jsons the same for JSON
     */
    public MetadataEncoder(UnaryOperator<byte[]> texts, UnaryOperator<ByteSlice> jsons) {
        this.encoder = new JsonEncoder();
        this.texts = requireNonNull(texts, "texts");
        this.jsons = requireNonNull(jsons, "jsons");
    }

    /**
     * The record's key in UTF-8: text and numbers unchanged, everything else as JSON; empty without a key.
     *
     * @throws RefusedException when the key has no JSON form
     */
    public Optional<ByteSlice> keyOf(SinkRecord record) {
        return Optional.ofNullable(record.key()).map(MetadataEncoder::readable).map(key -> ScalarText.bytesOf(key)
                .map(texts)
                .map(ByteSlice::of)
                .orElseGet(() -> jsons.apply(encoder.encode(record.keySchema(), key))));
    }

    /**
     * The record's headers as a JSON object; empty without headers. If several headers have the same name, the last one
     * counts, as with {@link org.apache.kafka.connect.header.Headers#lastWithName}.
     *
     * @throws RefusedException when a header has no JSON form
     */
    public Optional<ByteSlice> headersOf(SinkRecord record) {
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
