package io.tidegate.connect.common.frame;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Takes frames off records. A value becomes a slice of the bytes that the consumer fetched, so that all rules read the
 * document and none reads the frame. A record without a frame is returned unchanged. The task thread uses it.
 */
public final class Unframing implements DocumentMapper.Unwrapping {
    private final Frames values;
    private final Frames keys;
    private final Optional<ValueDecoder> decoder;

    public Unframing(FramingSettings settings) {
        this(settings, Optional.empty());
    }

    /**
     * Also decodes values that are not JSON.
     *
     * @param decoder of all values, if they are not JSON
     */
    public Unframing(FramingSettings settings, Optional<ValueDecoder> decoder) {
        this.values = new Frames(settings.values(), "value");
        this.keys = new Frames(settings.keys(), "key");
        this.decoder = requireNonNull(decoder, "decoder");
    }

    @Override
    public void prepare(Collection<SinkRecord> records) {
        decoder.ifPresent(schemas -> schemas.prepare(idsOf(records)));
    }

    private Set<SchemaId> idsOf(Collection<SinkRecord> records) {
        Set<SchemaId> ids = new HashSet<>();
        for (SinkRecord record : records) {
            if (record.value() != null) {
                try {
                    ids.add(values.withSchema(record.value(), record.headers()).schema());
                } catch (RefusedException e) {
                    // This record is refused when its turn comes.
                }
            }
        }
        return ids;
    }

    /**
     * The record without frames.
     *
     * @throws RefusedException when a frame is damaged, or holds something else than
     *     JSON
     */
    @Override
    public SinkRecord apply(SinkRecord record) {
        Object value = decoder.isPresent() ? decoded(record) : values.json(record.value(), record.headers());
        Object key = keys.json(record.key(), record.headers());
        if (value == record.value() && key == record.key()) {
            return record;
        }
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                key == record.key() ? record.keySchema() : null,
                key instanceof ByteSlice json ? plain(json) : key,
                value == record.value() ? record.valueSchema() : schema(),
                value,
                record.timestamp(),
                record.headers());
    }

    /** Null for a tombstone and for a null in the format, as in Connect. */
    private Object decoded(SinkRecord record) {
        if (record.value() == null) {
            return null;
        }
        Frames.Framed value = values.withSchema(record.value(), record.headers());
        return decoder.orElseThrow().decode(value.schema(), value.payload()).orElse(null);
    }

    private Schema schema() {
        return decoder.flatMap(ValueDecoder::schema).orElse(null);
    }

    /** The text of a JSON string; everything else as it is written. */
    private static Object plain(ByteSlice key) {
        try (JsonParser parser = JsonText.FACTORY.createParser(key.array(), key.from(), key.length())) {
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
        } catch (IOException e) {
            // Not a string of JSON: the bytes are the key.
        }
        return key.bytes();
    }
}
