package io.tidegate.connect.common.frame;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.SchemaId.Kind;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The frames of values that need their schema. {@link Frames} describes the frames; here each value has one, or a header
 * with the id. One thread uses it.
 */
final class SchemaFrames implements Payloads {
    private static final int SHORT = 1 + Integer.BYTES;
    private static final int LONG = 1 + Long.BYTES;
    private static final String FORMAT = FormatSettings.VALUE_FORMAT + "=avro";
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String GLOBAL_ID = "apicurio.value.globalId";
    private static final String CONTENT_ID = "apicurio.value.contentId";
    private static final String GUID = "__value_schema_id";

    private final Framing framing;
    private final ValueDecoder decoder;

    /** A value with its schema's id. */
    private record Framed(SchemaId schema, ByteSlice payload) {}

    SchemaFrames(Framing framing, ValueDecoder decoder) {
        this.framing = requireNonNull(framing, "framing");
        this.decoder = requireNonNull(decoder, "decoder");
    }

    @Override
    public void prepare(Collection<SinkRecord> records) {
        Set<SchemaId> ids = new HashSet<>();
        for (SinkRecord record : records) {
            if (record.value() != null) {
                try {
                    ids.add(parsed(record.value(), record.headers()).schema());
                } catch (RefusedException e) {
                    // This record is refused when its turn comes.
                }
            }
        }
        decoder.prepare(ids);
    }

    @Override
    public Object payloadOf(Object framed, Headers headers) {
        if (framed == null) {
            return null;
        }
        Framed value = parsed(framed, headers);
        return decoder.decode(value.schema(), value.payload()).orElse(null);
    }

    private Framed parsed(Object framed, Headers headers) {
        if (!(framed instanceof byte[] bytes)) {
            throw new RefusedException(
                    FORMAT + " takes bytes, and the value arrives in another form; set value.converter=" + BYTES);
        }
        Optional<SchemaId> id = headers.isEmpty() ? Optional.empty() : idIn(headers);
        if (id.isPresent()) {
            return new Framed(id.get(), ByteSlice.of(bytes));
        }
        if (bytes.length == 0) {
            throw new RefusedException("the value is empty, and " + FORMAT + " expects a schema registry's frame");
        }
        if (bytes[0] != 0) {
            throw new RefusedException(
                    "the value begins with byte " + (bytes[0] & 0xff) + " and not with the frame that "
                            + FORMAT + " expects: byte 0 and a schema's id"
                            + (bytes[0] == 1 ? "; a GUID needs the registry's converter" : ""));
        }
        if (framing != Framing.CONFLUENT
                && bytes.length >= SHORT
                && ByteBuffer.wrap(bytes).getInt(1) == 0) {
            return new Framed(
                    new SchemaId(Kind.GLOBAL, after(LONG, bytes).getLong(1)), ByteSlice.of(bytes, LONG, bytes.length));
        }
        long number = Integer.toUnsignedLong(after(SHORT, bytes).getInt(1));
        return new Framed(new SchemaId(Kind.SHORT, number), ByteSlice.of(bytes, SHORT, bytes.length));
    }

    private static ByteBuffer after(int frame, byte[] bytes) {
        if (bytes.length < frame) {
            throw new RefusedException("the value ends inside the schema registry's frame: it has " + bytes.length
                    + " bytes, and the frame has " + frame);
        }
        return ByteBuffer.wrap(bytes);
    }

    private Optional<SchemaId> idIn(Headers headers) {
        if (framing != Framing.CONFLUENT) {
            Header global = headers.lastWithName(GLOBAL_ID);
            if (global != null) {
                return Optional.of(new SchemaId(Kind.GLOBAL, idOf(global)));
            }
            Header content = headers.lastWithName(CONTENT_ID);
            if (content != null) {
                return Optional.of(new SchemaId(Kind.CONTENT, idOf(content)));
            }
        }
        if (framing != Framing.APICURIO && headers.lastWithName(GUID) != null) {
            throw new RefusedException("the header " + GUID + " has a GUID, which needs the registry's converter");
        }
        return Optional.empty();
    }

    /** Connect's default converter of headers takes bytes for text and damages them. */
    private static long idOf(Header header) {
        if (header.value() instanceof byte[] id && id.length == Long.BYTES) {
            return ByteBuffer.wrap(id).getLong();
        }
        throw new RefusedException("the header " + header.key() + " is not the 8 bytes of a schema's id; set"
                + " header.converter=" + BYTES);
    }
}
