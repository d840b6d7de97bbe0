package io.tidegate.connect.common.frame;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.value.ByteSlice;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Takes frames off records. A value becomes a slice of the bytes that the consumer fetched, so that all rules read the
 * document and none reads the frame. A record without a frame is returned unchanged. The task thread uses it.
 */
public final class Unframing implements DocumentMapper.Unwrapping {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Payloads values;
    private final Payloads keys;

    public Unframing(FramingSettings settings) {
        this(settings, Optional.empty());
    }

    /**
     * Also decodes values that are not JSON.
     *
     * @param decoder of all values, if they are not JSON
     */
    public Unframing(FramingSettings settings, Optional<ValueDecoder> decoder) {
        this.values = decoder.isPresent()
                ? new SchemaFrames(settings.values(), decoder.get())
                : new Frames(settings.values(), "value");
        this.keys = new Frames(settings.keys(), "key");
    }

    @Override
    public void prepare(Collection<SinkRecord> records) {
        values.prepare(records);
    }

    /**
     * The record without frames.
     *
     * @throws io.tidegate.connect.common.value.RefusedException when a frame is damaged, or holds something else than
     *     JSON
     */
    @Override
    public SinkRecord apply(SinkRecord record) {
        Object value = values.payloadOf(record.value(), record.headers());
        Object key = keys.payloadOf(record.key(), record.headers());
        if (value == record.value() && key == record.key()) {
            return record;
        }
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                key == record.key() ? record.keySchema() : null,
                key instanceof ByteSlice json ? plain(json) : key,
                value == record.value() ? record.valueSchema() : null,
                value,
                record.timestamp(),
                record.headers());
    }

    /** The text of a JSON string; everything else as it is written. */
    private static Object plain(ByteSlice key) {
        try (JsonParser parser = FACTORY.createParser(key.array(), key.from(), key.length())) {
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
        } catch (IOException e) {
            // Not a string of JSON: the bytes are the key.
        }
        return key.bytes();
    }
}
