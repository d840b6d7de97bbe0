package io.tidegate.connect.common.frame;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.DataFormatException;
import org.apache.kafka.connect.header.Headers;

/**
 * The frames of one side of a record, its keys or its values. They begin with the bytes 0, 1 or 3, and JSON never does
 * (RFC 8259, section 2). One thread uses it.
 *
 * <pre>
 *   Confluent   00, id of 4 bytes; or 01, GUID of 16 bytes; or the GUID in the header __value_schema_id
 *   Apicurio    00, id of 8 bytes (2.x) or 4 bytes (3.x); or, by default in 2.x, the header apicurio.value.globalId
 *   Glue        03, compression (00 for none, 05 for zlib), UUID of 16 bytes
 * </pre>
 */
final class Frames implements Payloads {
    /** A value of Kafka's usual 1 MB may inflate to a thousand times as much. */
    static final int MAX_INFLATED_BYTES = 64 << 20;

    private static final byte MAGIC = 0;
    private static final byte MAGIC_OF_GUID = 1;
    private static final byte MAGIC_OF_GLUE = 3;
    private static final byte PLAIN = 0;
    private static final byte ZLIB = 5;

    // Lengths of frames in bytes.
    private static final int SHORT = 1 + Integer.BYTES;
    private static final int LONG = 1 + Long.BYTES;
    private static final int GUID = 1 + 2 * Long.BYTES;
    private static final int GLUE = 2 + 2 * Long.BYTES;

    private final Framing framing;
    private final String side;
    private final List<IdHeader> idHeaders = new ArrayList<>();
    private final Registry ofShort;
    private final BoundedInflater inflater = new BoundedInflater(MAX_INFLATED_BYTES);

    /** A header that has the schema's id. */
    private record IdHeader(String name, Registry registry) {}

    /**
     * Frames of one side.
     *
     * @param side {@code key} or {@code value}
     */
    Frames(Framing framing, String side) {
        this.framing = requireNonNull(framing, "framing");
        this.side = requireNonNull(side, "side");
        this.ofShort = switch (framing) {
            case CONFLUENT -> Registry.CONFLUENT;
            case APICURIO -> Registry.APICURIO;
            default -> Registry.CONFLUENT_OR_APICURIO;
        };
        for (Registry registry : Registry.values()) {
            if (framing == Framing.AUTO || registry.name().equals(framing.name())) {
                registry.headers(side).forEach(name -> idHeaders.add(new IdHeader(name, registry)));
            }
        }
    }

    @Override
    public Object payloadOf(Object framed, Headers headers) {
        if (framing == Framing.NONE) {
            return framed;
        }
        if (framed instanceof byte[] bytes && bytes.length > 0) {
            boolean isPlain = framing == Framing.AUTO && JsonStart.canStartAValue(bytes[0]);
            return isPlain ? framed : payloadOf(bytes, headers);
        }
        if (framed instanceof String text && !text.isEmpty() && text.charAt(0) <= MAGIC_OF_GLUE) {
            throw new RefusedException(
                    "the " + side + " begins like a schema registry's frame and arrives as text; set " + side
                            + ".converter=org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return framed;
    }

    private Object payloadOf(byte[] bytes, Headers headers) {
        Optional<IdHeader> id = idIn(headers);
        if (id.isPresent()) {
            ByteSlice payload = ByteSlice.of(bytes);
            if (JsonStart.isIn(payload)) {
                return bytes;
            }
            throw notJson(
                    payload, id.get().registry(), "see the header " + id.get().name());
        }
        if (bytes[0] == MAGIC && framing != Framing.GLUE) {
            return hasLongId(bytes) ? ofLong(bytes) : ofShort(bytes);
        }
        boolean isAuto = framing == Framing.AUTO;
        if (bytes[0] == MAGIC_OF_GUID && (isAuto || framing == Framing.CONFLUENT)) {
            return ofGuid(bytes);
        }
        if (bytes[0] == MAGIC_OF_GLUE && (isAuto || framing == Framing.GLUE)) {
            return ofGlue(bytes);
        }
        if (isAuto) {
            return bytes;
        }
        throw unexpected(bytes);
    }

    private Optional<IdHeader> idIn(Headers headers) {
        if (!headers.isEmpty()) {
            for (IdHeader header : idHeaders) {
                if (headers.lastWithName(header.name()) != null) {
                    return Optional.of(header);
                }
            }
        }
        return Optional.empty();
    }

    private RefusedException unexpected(byte[] bytes) {
        return new RefusedException("the " + side + " begins with byte " + (bytes[0] & 0xff)
                + " and not with the frame that " + side + ".framing=" + EnumSetting.text(framing) + " expects");
    }

    /** Ids begin at 1, and no registry counts beyond 4 bytes: four zeros are the upper half of 8 bytes. */
    private boolean hasLongId(byte[] bytes) {
        return framing != Framing.CONFLUENT
                && bytes.length >= SHORT
                && (bytes[1] | bytes[2] | bytes[3] | bytes[4]) == 0;
    }

    private ByteSlice ofShort(byte[] bytes) {
        ByteSlice payload = after(SHORT, bytes, ofShort);
        if (JsonStart.isIn(payload)) {
            return payload;
        }
        throw notJson(
                payload,
                ofShort,
                "schema " + Integer.toUnsignedString(ByteBuffer.wrap(bytes).getInt(1)));
    }

    private ByteSlice ofLong(byte[] bytes) {
        ByteSlice payload = after(LONG, bytes, Registry.APICURIO);
        if (JsonStart.isIn(payload)) {
            return payload;
        }
        throw notJson(
                payload, Registry.APICURIO, "schema " + ByteBuffer.wrap(bytes).getLong(1));
    }

    private ByteSlice ofGuid(byte[] bytes) {
        ByteSlice payload = after(GUID, bytes, Registry.CONFLUENT);
        if (JsonStart.isIn(payload)) {
            return payload;
        }
        throw notJson(payload, Registry.CONFLUENT, "schema " + uuid(bytes, 1));
    }

    private ByteSlice ofGlue(byte[] bytes) {
        ByteSlice content = after(GLUE, bytes, Registry.GLUE);
        ByteSlice payload =
                switch (bytes[1]) {
                    case PLAIN -> content;
                    case ZLIB -> inflated(content);
                    default ->
                        throw new RefusedException("the " + side + "'s frame names the compression " + (bytes[1] & 0xff)
                                + "; Glue's are 0 (none) and 5 (zlib)");
                };
        if (JsonStart.isIn(payload)) {
            return payload;
        }
        throw notJson(payload, Registry.GLUE, "schema version " + uuid(bytes, 2));
    }

    private ByteSlice inflated(ByteSlice payload) {
        try {
            return ByteSlice.of(inflater.inflate(payload.array(), payload.from(), payload.to()));
        } catch (DataFormatException e) {
            throw new RefusedException(
                    "the " + side + " in Glue's frame is not zlib's format that can be read: " + e.getMessage());
        }
    }

    private ByteSlice after(int frame, byte[] bytes, Registry registry) {
        if (bytes.length < frame) {
            throw new RefusedException("the " + side + " ends inside " + registry.owner() + " frame: it has "
                    + bytes.length + " bytes, and the frame has " + frame);
        }
        return ByteSlice.of(bytes, frame, bytes.length);
    }

    private RefusedException notJson(ByteSlice payload, Registry registry, String schema) {
        if (payload.isEmpty()) {
            return new RefusedException(
                    "the " + side + " has nothing after " + registry.owner() + " frame (" + schema + ")");
        }
        return new RefusedException("the " + side + " is in " + registry.owner() + " form (" + schema
                + ") and not JSON, so it is Avro or Protobuf, which needs a converter: set " + side + ".converter="
                + registry.converters()
                + (side.equals("value") && registry != Registry.GLUE ? ", or value.format=avro for Avro" : ""));
    }

    private static UUID uuid(byte[] bytes, int at) {
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new UUID(id.getLong(at), id.getLong(at + Long.BYTES));
    }
}
