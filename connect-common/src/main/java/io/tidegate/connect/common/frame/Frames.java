package io.tidegate.connect.common.frame;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.SchemaId.Kind;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.InflaterInputStream;
import org.apache.kafka.connect.header.Header;
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
final class Frames {
    /** A value of Kafka's usual 1 MB may inflate to a thousand times as much. */
    static final int MAX_INFLATED_BYTES = 64 << 20;

    private static final byte MAGIC = 0;
    private static final byte MAGIC_OF_GUID = 1;
    private static final byte MAGIC_OF_GLUE = 3;
    private static final byte PLAIN = 0;
    private static final byte ZLIB = 5;
    private static final String AVRO = FormatSettings.VALUE_FORMAT + "=avro";
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    /** The headers that may have the schema's id, of which the first two have it as a number. */
    private static final List<String> ID_HEADERS =
            List.of("apicurio.%s.globalId", "apicurio.%s.contentId", "apicurio.%s.artifactId", "__%s_schema_id");

    private static final Map<String, Kind> KINDS =
            Map.of("apicurio.value.globalId", Kind.GLOBAL, "apicurio.value.contentId", Kind.CONTENT);

    /** The forms of frames. */
    private enum Form {
        SHORT(1 + Integer.BYTES, Registry.CONFLUENT_OR_APICURIO),
        LONG(1 + Long.BYTES, Registry.APICURIO),
        GUID(1 + 2 * Long.BYTES, Registry.CONFLUENT),
        GLUE(2 + 2 * Long.BYTES, Registry.GLUE);

        private final int bytes;
        private final Registry registry;

        Form(int bytes, Registry registry) {
            this.bytes = bytes;
            this.registry = registry;
        }

        /** The form of the frame that these bytes begin with. */
        static Optional<Form> of(byte[] bytes) {
            return switch (bytes[0]) {
                case MAGIC -> Optional.of(hasLongId(bytes) ? LONG : SHORT);
                case MAGIC_OF_GUID -> Optional.of(GUID);
                case MAGIC_OF_GLUE -> Optional.of(GLUE);
                default -> Optional.empty();
            };
        }

        /** Ids begin at 1, and no registry counts beyond 4 bytes: four zeros are the upper half of 8 bytes. */
        private static boolean hasLongId(byte[] bytes) {
            return bytes.length >= SHORT.bytes && (bytes[1] | bytes[2] | bytes[3] | bytes[4]) == 0;
        }

        String schemaIn(byte[] frame) {
            ByteBuffer id = ByteBuffer.wrap(frame);
            return switch (this) {
                case SHORT -> "schema " + Integer.toUnsignedString(id.getInt(1));
                case LONG -> "schema " + id.getLong(1);
                case GUID -> "schema " + new UUID(id.getLong(1), id.getLong(1 + Long.BYTES));
                case GLUE -> "schema version " + new UUID(id.getLong(2), id.getLong(2 + Long.BYTES));
            };
        }
    }

    private final Framing framing;
    private final String side;
    private final List<String> idHeaders;

    /** A value with its schema's id. */
    record Framed(SchemaId schema, ByteSlice payload) {}

    /**
     * Frames of one side.
     *
     * @param side {@code key} or {@code value}
     */
    Frames(Framing framing, String side) {
        this.framing = requireNonNull(framing, "framing");
        this.side = requireNonNull(side, "side");
        this.idHeaders = ID_HEADERS.stream().map(name -> name.formatted(side)).toList();
    }

    /**
     * The JSON in the frame as a {@link ByteSlice}; the same object when there is no frame.
     *
     * @param framed as a converter gave it; may be null
     * @throws RefusedException when the frame is damaged, or holds something else than JSON
     */
    Object json(Object framed, Headers headers) {
        if (framing == Framing.NONE) {
            return framed;
        }
        if (framed instanceof byte[] bytes && bytes.length > 0 && mayHaveSchema(bytes[0])) {
            return json(bytes, headers);
        }
        if (framed instanceof String text && !text.isEmpty() && text.charAt(0) <= MAGIC_OF_GLUE) {
            throw new RefusedException(
                    "the " + side + " begins like a schema registry's frame and arrives as text; set " + side
                            + ".converter=" + BYTES);
        }
        return framed;
    }

    /** A key that is a JSON string keeps its quotes, unless a frame or a header shows that they are JSON's. */
    private boolean mayHaveSchema(byte first) {
        return !JsonStart.canStartAValue(first) || (first == '"' && side.equals("key"));
    }

    private Object json(byte[] bytes, Headers headers) {
        Optional<String> header = idHeader(headers);
        if (header.isPresent()) {
            ByteSlice payload = ByteSlice.of(bytes);
            if (JsonStart.isIn(payload)) {
                return payload;
            }
            String name = header.get();
            Registry registry = name.startsWith("apicurio") ? Registry.APICURIO : Registry.CONFLUENT;
            throw notJson(payload, registry, "see the header " + name);
        }
        Optional<Form> form = Form.of(bytes);
        if (form.isEmpty()) {
            return bytes;
        }
        ByteSlice framed = payload(form.get(), bytes);
        ByteSlice payload = form.get() == Form.GLUE ? uncompressed(bytes[1], framed) : framed;
        if (JsonStart.isIn(payload)) {
            return payload;
        }
        throw notJson(payload, form.get().registry, form.get().schemaIn(bytes));
    }

    private RefusedException notJson(ByteSlice payload, Registry registry, String schema) {
        if (payload.isEmpty()) {
            return new RefusedException(
                    "the " + side + " has nothing after " + registry.owner() + " frame (" + schema + ")");
        }
        return new RefusedException("the " + side + " is in " + registry.owner() + " form (" + schema
                + ") and not JSON, so it is Avro or Protobuf, which needs a converter: set " + side + ".converter="
                + registry.converters()
                + (side.equals("value") && registry != Registry.GLUE ? ", or " + AVRO + " for Avro" : ""));
    }

    /**
     * A value in a format that needs its schema: each has a frame with the schema's id, or a header.
     *
     * @param framed as a converter gave it
     * @throws RefusedException when it has no id, or none that a registry can be asked for
     */
    Framed withSchema(Object framed, Headers headers) {
        if (!(framed instanceof byte[] bytes)) {
            throw new RefusedException(
                    AVRO + " takes bytes, and the value arrives in another form; set value.converter=" + BYTES);
        }
        Optional<String> header = idHeader(headers);
        if (header.isPresent()) {
            return new Framed(possible(idIn(headers.lastWithName(header.get()))), ByteSlice.of(bytes));
        }
        if (bytes.length == 0) {
            throw new RefusedException("the value is empty, and " + AVRO + " expects a schema registry's frame");
        }
        Form form = Form.of(bytes)
                .filter(known -> known == Form.SHORT || known == Form.LONG)
                .orElseThrow(() -> new RefusedException("the value begins with byte " + (bytes[0] & 0xff)
                        + " and not with the frame that " + AVRO + " expects: byte 0 and a schema's id"
                        + (bytes[0] == MAGIC_OF_GUID ? "; a GUID needs the registry's converter" : "")));
        ByteSlice payload = payload(form, bytes);
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new Framed(
                possible(
                        form == Form.LONG
                                ? new SchemaId(Kind.GLOBAL, id.getLong(1))
                                : new SchemaId(Kind.SHORT, Integer.toUnsignedLong(id.getInt(1)))),
                payload);
    }

    /** Registries answer for other ids as for a wrong path, which looks like an outage. */
    private static SchemaId possible(SchemaId id) {
        if (id.id() < 0 || id.id() > Integer.MAX_VALUE) {
            throw new RefusedException("the value names " + id + ", and no registry has such an id");
        }
        return id;
    }

    private Optional<String> idHeader(Headers headers) {
        if (!headers.isEmpty()) {
            for (String name : idHeaders) {
                if (headers.lastWithName(name) != null) {
                    return Optional.of(name);
                }
            }
        }
        return Optional.empty();
    }

    /** Connect's default converter of headers takes bytes for text and damages them. */
    private static SchemaId idIn(Header header) {
        Kind kind = KINDS.get(header.key());
        if (kind == null) {
            throw new RefusedException("the header " + header.key() + " has "
                    + (header.key().endsWith("schema_id") ? "a GUID" : "no number")
                    + ", which needs the registry's converter");
        }
        if (header.value() instanceof byte[] id && id.length == Long.BYTES) {
            return new SchemaId(kind, ByteBuffer.wrap(id).getLong());
        }
        throw new RefusedException("the header " + header.key() + " is not the 8 bytes of a schema's id; set"
                + " header.converter=" + BYTES);
    }

    private ByteSlice payload(Form form, byte[] bytes) {
        if (bytes.length < form.bytes) {
            throw new RefusedException("the " + side + " ends inside " + form.registry.owner() + " frame: it has "
                    + bytes.length + " bytes, and the frame has " + form.bytes);
        }
        return ByteSlice.of(bytes, form.bytes, bytes.length);
    }

    private ByteSlice uncompressed(byte compression, ByteSlice payload) {
        if (compression == PLAIN) {
            return payload;
        }
        if (compression != ZLIB) {
            throw new RefusedException("the " + side + "'s frame names the compression " + (compression & 0xff)
                    + "; Glue's are 0 (none) and 5 (zlib)");
        }
        byte[] inflated;
        try (InputStream zlib =
                new InflaterInputStream(new ByteArrayInputStream(payload.array(), payload.from(), payload.length()))) {
            inflated = zlib.readNBytes(MAX_INFLATED_BYTES + 1);
        } catch (IOException e) { // its message never has the content
            throw new RefusedException(
                    "the " + side + " in Glue's frame is not zlib's format that can be read: " + e.getMessage());
        }
        if (inflated.length > MAX_INFLATED_BYTES) {
            throw new RefusedException(
                    "the " + side + " in Glue's frame inflates to more than " + MAX_INFLATED_BYTES + " bytes");
        }
        return ByteSlice.of(inflated);
    }
}
