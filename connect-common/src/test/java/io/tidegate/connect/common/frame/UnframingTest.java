package io.tidegate.connect.common.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.FramedKeys;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnframingTest {
    private static final String JSON = "{\"station\":\"Sept-\u00celes\"}";
    private static final UUID ID = UUID.fromString("b7b4a7f0-9c96-4e4a-a687-fb5de9ef0c63");

    /** As the serializers write them. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Frame {
        CONFLUENT("schema 7", json -> joined(0, ints(7), json)),
        CONFLUENT_LARGEST_ID("schema 2147483647", json -> joined(0, ints(Integer.MAX_VALUE), json)),
        CONFLUENT_GUID("schema " + ID, json -> joined(1, uuid(), json)),
        APICURIO_2("schema 7", json -> joined(0, longs(7), json)),
        APICURIO_3("schema 7", json -> joined(0, ints(7), json)),
        GLUE("schema version " + ID, json -> joined(3, new byte[] {0}, uuid(), json)),
        GLUE_ZLIB("schema version " + ID, json -> joined(3, new byte[] {5}, uuid(), deflated(json)));

        private final String schema;
        private final UnaryOperator<byte[]> writer;

        Frame(String schema, UnaryOperator<byte[]> writer) {
            this.schema = schema;
            this.writer = writer;
        }

        byte[] around(String json) {
            return writer.apply(json.getBytes(UTF_8));
        }
    }

    private static byte[] joined(int first, byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(first);
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] ints(int id) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
    }

    private static byte[] longs(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    private static byte[] uuid() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(ID.getMostSignificantBits())
                .putLong(ID.getLeastSignificantBits())
                .array();
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        byte[] compressed = new byte[bytes.length + 1_000];
        int length = deflater.deflate(compressed);
        deflater.end();
        return Arrays.copyOf(compressed, length);
    }

    private static Unframing unframing(Framing values) {
        return new Unframing(new FramingSettings(values, Framing.NONE));
    }

    private static SinkRecord record(Object key, Object value) {
        return new SinkRecord("tides", 0, null, key, null, value, 5);
    }

    private static SinkRecord unframed(Framing framing, Object value) {
        return unframing(framing).apply(record("k", value));
    }

    private static void assertRefused(Object value, String reason) {
        assertThatThrownBy(() -> unframed(Framing.AUTO, value))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @EnumSource
    void writesTheJsonInAFrame(Frame frame) {
        byte[] framed = frame.around(JSON);
        ByteSlice json = (ByteSlice) unframed(Framing.AUTO, framed).value();
        assertThat(json.bytes()).asString(UTF_8).isEqualTo(JSON);
        assertThat(json.array() == framed)
                .as("shares the fetched bytes unless they were compressed")
                .isEqualTo(frame != Frame.GLUE_ZLIB);
    }

    @ParameterizedTest
    @EnumSource
    void letsEveryRuleReadTheDocumentAndNotTheFrame(Frame frame) {
        JsonPath path = JsonPath.parse("$.station");
        RecordFields fields = new RecordFields(List.of(path));
        DocumentMapper mapper = new DocumentMapper(
                Records.topicsAsDestinations(),
                record -> fields.get(record, path).utf8(),
                NullValues.FAIL,
                unframing(Framing.AUTO),
                UnaryOperator.identity());
        byte[] framed = frame.around(JSON);

        Document document =
                mapper.map(record(null, framed), Records.progress(0)).orElseThrow();
        Document plain = mapper.map(record(null, JSON.getBytes(UTF_8)), Records.progress(0))
                .orElseThrow();

        assertThat(document.key()).asString(UTF_8).isEqualTo("Sept-\u00celes");
        assertThat(document.json().bytes()).asString(UTF_8).isEqualTo(JSON);
        assertThat(document.fingerprint().hash())
                .as("the value's own bytes are gone")
                .isEmpty();
        assertThat(document.bytesHeld()).as("the frame, and what was inflated").isGreaterThan(plain.bytesHeld());
        assertThat(document.record().originalKafkaOffset()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void namesWhatIsNotJson(Frame frame) {
        // Avro: a text of 5 characters, of 17, a long; Protobuf: Confluent's index and a field
        for (String payload : List.of("\nhello", "\"seventeen letters", "\u0006abc", "\u0000\n\u0003abc")) {
            assertRefused(frame.around(payload), " and not JSON, so it is Avro or Protobuf");
            if (frame != Frame.GLUE && frame != Frame.GLUE_ZLIB) {
                assertRefused(frame.around(payload), ", or value.format=avro for Avro");
            }
            assertRefused(frame.around(payload), "(" + frame.schema + ")");
            assertRefused(frame.around(payload), "set value.converter=");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnEmptyPayloadAndAFrameThatIsCutOff(Frame frame) {
        byte[] empty = frame.around("");
        if (frame != Frame.GLUE_ZLIB) {
            for (int length = 1; length < empty.length; length++) {
                byte[] cut = Arrays.copyOf(empty, length);
                assertRefused(cut, "ends inside");
            }
        }
        assertRefused(empty, "has nothing after ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", " {", "[1]", "\"\"", "-1", "12.5e+3 ", "true", "\tfalse", "null\n", "{\"a", "[[", "[", "{"
            })
    void takesEveryFormOfJson(String json) {
        ByteSlice payload =
                (ByteSlice) unframed(Framing.AUTO, Frame.CONFLUENT.around(json)).value();
        assertThat(payload.bytes()).asString(UTF_8).isEqualTo(json);
    }

    @Test
    void leavesRecordsWithoutAFrameAlone() {
        for (Object value : Arrays.asList(
                JSON.getBytes(UTF_8), JSON, " 1", Map.of("a", 1), null, new byte[0], new byte[] {(byte) 0xef, 1}, 7)) {
            SinkRecord record = record("k", value);
            assertThat(unframing(Framing.AUTO).apply(record)).isSameAs(record);
        }
        SinkRecord framed = record(new byte[] {0, 0, 0, 0, 1, '{'}, Frame.CONFLUENT.around(JSON));
        assertThat(unframing(Framing.NONE).apply(framed)).isSameAs(framed);
        assertThat(unframing(Framing.AUTO).apply(framed).key())
                .as("a key may be a number that starts with zeros")
                .isSameAs(framed.key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__value_schema_id",
                "apicurio.value.globalId",
                "apicurio.value.contentId",
                "apicurio.value.artifactId"
            })
    void looksForNoFrameWhereAHeaderHasTheId(String header) {
        SinkRecord json = record("k", JSON.getBytes(UTF_8));
        json.headers().addBytes(header, longs(7));
        assertThat(unframing(Framing.AUTO).apply(json)).isSameAs(json);

        SinkRecord avro = record("k", new byte[] {0, 0, 0, 0, 1, '{', '}'});
        avro.headers().addBytes(header, longs(7));
        assertThatThrownBy(() -> unframing(Framing.AUTO).apply(avro))
                .hasMessageContaining("(see the header " + header + ") and not JSON");
    }

    @Test
    void namesTheConverterThatKeepsBytes() {
        assertRefused(
                new String(Frame.CONFLUENT.around(JSON), UTF_8),
                "set value.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
    }

    @Test
    void boundsWhatAValueInflatesTo() {
        byte[] bomb = Frame.GLUE_ZLIB.around("[" + " ".repeat(Frames.MAX_INFLATED_BYTES));
        assertRefused(bomb, "inflates to more than " + Frames.MAX_INFLATED_BYTES + " bytes");

        String largest = "[" + " ".repeat(Frames.MAX_INFLATED_BYTES - 2) + "]";
        ByteSlice inflated = (ByteSlice)
                unframed(Framing.AUTO, Frame.GLUE_ZLIB.around(largest)).value();
        assertThat(inflated.length()).isEqualTo(Frames.MAX_INFLATED_BYTES);
    }

    @Test
    void saysWhatIsWrongWithACompressedValue() {
        byte[] framed = Frame.GLUE_ZLIB.around(JSON);
        assertRefused(
                Arrays.copyOf(framed, framed.length - 5), "that can be read: Unexpected end of ZLIB input stream");
        byte[] damaged = framed.clone();
        damaged[18] = 1;
        assertRefused(damaged, "in Glue's frame is not zlib's format that can be read: ");
        damaged[1] = 7;
        assertRefused(damaged, "names the compression 7; Glue's are 0 (none) and 5 (zlib)");
    }

    @Test
    void takesFramesOffKeysWhereAsked() {
        for (Frame frame : List.of(Frame.CONFLUENT, Frame.APICURIO_2, Frame.GLUE)) {
            Unframing keys = new Unframing(new FramingSettings(Framing.NONE, Framing.AUTO));
            assertThat(keys.apply(record(frame.around("\"a\\u00e9\""), null)).key())
                    .isEqualTo("a\u00e9");
            assertThat((byte[]) keys.apply(record(frame.around("7"), null)).key())
                    .asString(UTF_8)
                    .isEqualTo("7");
            assertThat((byte[])
                            keys.apply(record(frame.around("{\"id\":7}"), null)).key())
                    .asString(UTF_8)
                    .isEqualTo("{\"id\":7}");
            assertThatThrownBy(() -> keys.apply(record(frame.around("\u0002k"), null)))
                    .hasMessageContaining("set key.converter=");
        }
    }

    /** What takes frames off knows the same ones as what refuses keys that still have one. */
    @ParameterizedTest
    @EnumSource
    void aKeyThatKeepsItsFrameIsKnown(Frame frame) {
        byte[] framed = frame.around("\"a\"");
        Template template = Template.parse("a-${key}");

        assertThatThrownBy(() -> template.fill(record(framed, null), new RecordFields(List.of())))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("begins like a schema registry's frame")
                .hasMessageContaining("set " + FramingSettings.KEY_FRAMING + "=auto");
        assertThat(FramedKeys.contain("\0\0\0\0\7\"a\""))
                .as("through StringConverter")
                .isTrue();
        for (Object key : new Object[] {"\u0001a", "\u0003abcdefghijklmnopqrstuv", new byte[] {0, 1}, new byte[0], 7}) {
            assertThat(FramedKeys.contain(key)).isFalse();
        }
    }

    /** So the same key names the same row, wherever its producer writes the schema's id. */
    @ParameterizedTest
    @ValueSource(
            strings = {"__key_schema_id", "apicurio.key.globalId", "apicurio.key.contentId", "apicurio.key.artifactId"})
    void takesTheQuotesOffKeysWhoseSchemaIsNamedByAHeader(String header) {
        Unframing keys = new Unframing(new FramingSettings(Framing.NONE, Framing.AUTO));
        SinkRecord named = record("\"a\\u00e9\"".getBytes(UTF_8), null);
        named.headers().addBytes(header, longs(7));

        assertThat(keys.apply(named).key()).isEqualTo("a\u00e9");

        SinkRecord plain = record("\"a\"".getBytes(UTF_8), null);
        plain.headers().addBytes(header.replace("key", "value"), longs(7));
        assertThat(keys.apply(plain)).as("its schema is not named").isSameAs(plain);

        SinkRecord avro = record("\"seventeen letters".getBytes(UTF_8), null);
        avro.headers().addBytes(header, longs(7));
        assertThatThrownBy(() -> keys.apply(avro)).hasMessageContaining("(see the header " + header + ") and not JSON");
    }

    /** Whatever the bytes are: the JSON that was framed, the same record, or a reason; and the next record is read. */
    @Test
    void survivesHostileFrames() {
        Random random = new Random(15);
        Unframing unframing = new Unframing(new FramingSettings(Framing.AUTO, Framing.AUTO));
        Frame[] frames = Frame.values();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = frames[random.nextInt(frames.length)].around(JSON);
            for (int flip = random.nextInt(4); flip > 0; flip--) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(6) : random.nextInt());
            }
            byte[] hostile = Arrays.copyOf(bytes, random.nextInt(bytes.length + 2));
            try {
                unframing.apply(record(hostile, hostile));
            } catch (RefusedException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank().doesNotContain("station");
            }
            ByteSlice next = (ByteSlice)
                    unframing.apply(record("k", Frame.GLUE_ZLIB.around(JSON))).value();
            assertThat(next.bytes()).asString(UTF_8).isEqualTo(JSON);
        }
        assertThat(refused).as("of both kinds").isBetween(2_000, 18_000);
    }
}
