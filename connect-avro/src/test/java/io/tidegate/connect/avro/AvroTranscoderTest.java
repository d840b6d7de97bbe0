package io.tidegate.connect.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.kafka.connect.data.Schema.Type.ARRAY;
import static org.apache.kafka.connect.data.Schema.Type.STRUCT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AvroTranscoderTest {
    private static final int SCHEMAS = 10_000;
    private static final int VALUES = 3;
    private static final int MUTATIONS = 10_000;

    private static AvroTranscoder transcoder(Schema schema) {
        return new AvroTranscoder(schema, new AvroInput(), new JsonOutput());
    }

    private static Schema schema(String json) {
        return new Schema.Parser().setValidateDefaults(false).parse(json); // as the registry's client does
    }

    private static String text(ByteSlice json) {
        return new String(json.bytes(), UTF_8);
    }

    private static ByteSlice bytes(int... payload) {
        byte[] all = new byte[payload.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) payload[i];
        }
        return ByteSlice.of(all);
    }

    private static void assertUnfit(String schema, ByteSlice payload, String reason) {
        AvroTranscoder transcoder = transcoder(schema(schema));
        assertThatThrownBy(() -> transcoder.transcode(payload))
                .isInstanceOf(UnfitException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void writesWhatTheConverterAndTheEncoderWrite() throws IOException {
        int written = 0;
        for (int seed = 0; seed < SCHEMAS; seed++) {
            AvroSamples samples = new AvroSamples(seed);
            Schema schema = schema(samples.schema().toString());
            ConverterJson converter = new ConverterJson(schema);
            AvroTranscoder transcoder = transcoder(schema);
            for (int i = 0; i < VALUES; i++) {
                byte[] payload = AvroSamples.encoded(schema, samples.value(schema));
                written += assertSame(converter, transcoder, payload, schema);
            }
        }
        assertThat(written).as("written and not refused").isGreaterThan(SCHEMAS * VALUES * 3 / 4);
    }

    private static int assertSame(ConverterJson converter, AvroTranscoder transcoder, byte[] payload, Schema schema)
            throws IOException {
        ByteSlice expected;
        try {
            expected = converter.of(payload);
        } catch (RefusedException e) {
            assertThatThrownBy(() -> transcoder.transcode(ByteSlice.of(payload)))
                    .as(schema.toString())
                    .isInstanceOf(UnfitException.class);
            return 0;
        } catch (DataException e) {
            return 0; // the converter cannot read all that Avro allows
        }
        ByteSlice json = transcoder.transcode(ByteSlice.of(payload)).orElseThrow();
        assertThat(ConverterJson.parsed(json)).as(schema.toString()).isEqualTo(ConverterJson.parsed(expected));
        assertSameTypes(FieldSchemas.of(schema), converter.schema(), 2);
        return 1;
    }

    /** The types of fields and of their fields. Those with parts are all the same then, but for arrays. */
    private static void assertSameTypes(
            Optional<org.apache.kafka.connect.data.Schema> types,
            org.apache.kafka.connect.data.Schema expected,
            int depth) {
        if (!isStruct(expected) || depth == 0) {
            return;
        }
        assertThat(types.orElseThrow().fields()).as("fields").hasSameSizeAs(expected.fields());
        for (Field field : expected.fields()) {
            org.apache.kafka.connect.data.Schema type =
                    types.orElseThrow().field(field.name()).schema();
            assertSameKind(type, field.schema(), field.toString());
            String name = String.valueOf(field.schema().name());
            if (name.startsWith("org.apache.kafka.connect.data.")) {
                assertThat(type.name()).isEqualTo(name);
            }
            if (isStruct(field.schema()) && !type.fields().isEmpty()) { // not a union of several types
                assertSameTypes(Optional.of(type), field.schema(), depth - 1);
            }
        }
    }

    private static void assertSameKind(
            org.apache.kafka.connect.data.Schema type, org.apache.kafka.connect.data.Schema expected, String field) {
        boolean isWhole = expected.type().isPrimitive() || expected.type() == ARRAY;
        assertThat(type.type()).as(field).isEqualTo(isWhole ? expected.type() : STRUCT);
        if (expected.type() == ARRAY) {
            assertSameKind(type.valueSchema(), expected.valueSchema(), field);
        }
    }

    private static boolean isStruct(org.apache.kafka.connect.data.Schema schema) {
        return schema.type() == STRUCT && !String.valueOf(schema.name()).endsWith(".Union");
    }

    /** As converters write a text or bytes that may be null: they are JSON, and not a JSON text. */
    @ParameterizedTest
    @ValueSource(strings = {"string", "bytes"})
    void aTextThatMayBeNullIsTheDocument(String type) {
        AvroTranscoder nullFirst = transcoder(schema("[\"null\", \"" + type + "\"]"));
        AvroTranscoder nullLast = transcoder(schema("[\"" + type + "\", \"null\"]"));

        assertThat(nullFirst.transcode(bytes(2, 4, '{', '}')).map(AvroTranscoderTest::text))
                .contains("{}");
        assertThat(nullLast.transcode(bytes(0, 4, '{', '}')).map(AvroTranscoderTest::text))
                .contains("{}");
        assertThat(nullFirst.transcode(bytes(0))).isEmpty();
        assertThat(nullLast.transcode(bytes(2))).isEmpty();
    }

    /** Of an event in Avro, which may leave parts out. */
    @Test
    void aNumberWithoutAScaleIsANumberAndATextOfJsonIsKnown() throws IOException {
        Schema schema = schema("""
                {"type": "record", "name": "Envelope", "fields": [
                  {"name": "after", "type": ["null", {"type": "record", "name": "Value", "fields": [
                    {"name": "free", "type": ["null", {"type": "record", "name": "VariableScaleDecimal",
                      "namespace": "io.debezium.data", "connect.name": "io.debezium.data.VariableScaleDecimal",
                      "fields": [{"name": "scale", "type": "int"}, {"name": "value", "type": "bytes"}]}]},
                    {"name": "json", "type": {"type": "string", "connect.name": "io.debezium.data.Json"}},
                    {"name": "raw", "type": ["null", "bytes"]}]}]}]}
                """);
        AvroTranscoder transcoder = transcoder(schema);
        byte[] payload = {2, 2, 6, 4, 0x30, 0x39, 4, '{', '}', 2, 2, 1}; // 12345, scale 3

        assertThat(transcoder.transcode(ByteSlice.of(payload)).map(AvroTranscoderTest::text))
                .contains("{\"after\":{\"free\":12.345,\"json\":\"{}\",\"raw\":\"AQ==\"}}");
        assertThat(assertSame(new ConverterJson(schema), transcoder, payload, schema))
                .isEqualTo(1);
        assertThat(FieldSchemas.of(schema).orElseThrow().field("after").schema().fields())
                .extracting(field -> field.name() + " " + field.schema().type() + " "
                        + field.schema().name())
                .containsExactly(
                        "free STRUCT io.debezium.data.VariableScaleDecimal",
                        "json STRING io.debezium.data.Json",
                        "raw BYTES null");
    }

    @Test
    void refusesDamagedPayloadsOrWritesJson() {
        Random random = new Random(1);
        int refused = 0;
        for (int seed = 0; seed < MUTATIONS; seed++) {
            AvroSamples samples = new AvroSamples(seed);
            Schema schema = schema(samples.schema().toString());
            ByteSlice damaged = damaged(AvroSamples.encoded(schema, samples.value(schema)), random);
            try {
                Optional<ByteSlice> json = transcoder(schema).transcode(damaged);
                assertThat(json).map(AvroTranscoderTest::isJson).contains(true);
            } catch (UnfitException e) {
                assertThat(e).hasMessageMatching(".{10,120}");
                refused++;
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 4, MUTATIONS - MUTATIONS / 100);
    }

    /** A key may now be twice in a map. */
    private static boolean isJson(ByteSlice json) {
        try (var parser =
                new com.fasterxml.jackson.core.JsonFactory().createParser(json.array(), json.from(), json.length())) {
            while (parser.nextToken() != null) {
                parser.getText();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Cut off, or with other bytes, or with numbers of ten bytes. */
    private static ByteSlice damaged(byte[] payload, Random random) {
        if (payload.length == 0) {
            return bytes(1);
        }
        byte[] damaged = payload.clone();
        int at = random.nextInt(damaged.length);
        switch (random.nextInt(4)) {
            case 0 -> {
                return ByteSlice.of(damaged, 0, at);
            }
            case 1 -> damaged[at] = (byte) random.nextInt();
            case 2 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
            default -> java.util.Arrays.fill(damaged, at, Math.min(damaged.length, at + 9), (byte) 0xff);
        }
        return ByteSlice.of(damaged);
    }

    @Test
    void readsAPartOfAnArrayAndNothingAroundIt() {
        AvroTranscoder transcoder = transcoder(schema("{\"type\": \"array\", \"items\": \"int\"}"));

        assertThat(transcoder
                        .transcode(ByteSlice.of(new byte[] {9, 9, 2, 4, 0, 9}, 2, 5))
                        .map(AvroTranscoderTest::text))
                .contains("[2]");
    }

    @Test
    void takesATextAsTheDocumentLikeATextOfAnyConverter() {
        AvroTranscoder transcoder = transcoder(schema("\"string\""));

        assertThat(transcoder.transcode(bytes(4, '{', '}')).map(AvroTranscoderTest::text))
                .contains("{}");
    }

    @Test
    void readsNullAsNoValue() {
        AvroTranscoder transcoder = transcoder(schema("[\"null\", {\"type\": \"map\", \"values\": \"int\"}]"));

        assertThat(transcoder.transcode(bytes(0))).isEmpty();
        assertThat(transcoder.transcode(bytes(2, 0)).map(AvroTranscoderTest::text))
                .contains("{}");
    }

    @Test
    void writesMapsWithOtherKeysThanTextAsConnectDoes() {
        AvroTranscoder transcoder = transcoder(schema("""
                {"type": "array", "items": {"type": "record", "name": "MapEntry",
                 "namespace": "io.confluent.connect.avro", "fields": [
                 {"name": "key", "type": "int"}, {"name": "value", "type": "boolean"}]}}"""));

        assertThat(transcoder.transcode(bytes(4, 14, 1, 16, 0, 0)).map(AvroTranscoderTest::text))
                .contains("{\"7\":true,\"8\":false}");
    }

    @Test
    void writesFixedDecimalsAsNumbers() {
        AvroTranscoder transcoder = transcoder(schema("""
                {"type": "record", "name": "R", "fields": [{"name": "d", "type": {"type": "fixed", "name": "D",
                 "size": 2, "logicalType": "decimal", "precision": 4, "scale": 3}}]}"""));

        assertThat(transcoder.transcode(bytes(0xff, 0xfb)).map(AvroTranscoderTest::text))
                .contains("{\"d\":-0.005}");
    }

    @Test
    void keepsTheNullOfAFieldThatHasADefault() {
        AvroTranscoder transcoder = transcoder(schema("""
                {"type": "record", "name": "R", "fields": [
                 {"name": "note", "type": ["string", "null"], "default": "usual"},
                 {"name": "none", "type": ["null", "string"], "default": null}]}"""));

        assertThat(transcoder.transcode(bytes(2, 0)).map(AvroTranscoderTest::text))
                .contains("{\"note\":null,\"none\":null}");
        assertThat(transcoder.transcode(bytes(0, 2, 'a', 0)).map(AvroTranscoderTest::text))
                .contains("{\"note\":\"a\",\"none\":null}");
    }

    @Test
    void refusesWhatDoesNotFitTheSchema() {
        assertUnfit("\"string\"", bytes(20, 'a'), "a length is 10, and 1 bytes are left");
        assertUnfit("\"string\"", bytes(1), "a length is -1");
        assertUnfit("\"string\"", bytes(2, 'a', 'b'), "1 bytes are left behind the value");
        assertUnfit("\"long\"", bytes(0x80), "it is cut off");
        assertUnfit("\"double\"", bytes(1, 2, 3), "it is cut off");
        assertUnfit("\"boolean\"", bytes(2), "a boolean is neither 0 nor 1");
        assertUnfit(
                "\"long\"", bytes(255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1), "a long has too many bytes");
        assertUnfit("\"int\"", bytes(255, 255, 255, 255, 255, 1), "an int has too many bytes");
        assertUnfit("[\"int\", \"string\"]", bytes(4), "a union's branch is number 2 of 2");
        assertUnfit("{\"type\": \"enum\", \"name\": \"E\", \"symbols\": [\"A\"]}", bytes(2), "a symbol is number 1");
        assertUnfit("{\"type\": \"int\", \"logicalType\": \"time-millis\"}", bytes(1), "not within a day");
        assertUnfit("{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 4}", bytes(0), "no bytes");
        assertUnfit("\"float\"", bytes(0, 0, 0xc0, 0x7f), "the number NaN, which JSON cannot express");
    }

    @Test
    void refusesBlocksThatAreEndless() {
        String empty = "{\"type\": \"array\", \"items\": {\"type\": \"record\", \"name\": \"R\", \"fields\": []}}";
        ByteSlice most = bytes(0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 1);
        ByteSlice least = bytes(255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0);

        assertUnfit(empty, most, "its JSON has more than 67108864 bytes");
        assertUnfit(empty, least, "a block has an impossible number of items");
        assertUnfit("{\"type\": \"array\", \"items\": \"int\"}", most, "it is cut off");
        assertUnfit("{\"type\": \"map\", \"values\": \"int\"}", most, "it is cut off");
    }

    @Test
    void refusesANestingWithoutEnd() {
        assertUnfit(
                "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"r\", \"type\": \"R\"}]}",
                bytes(),
                "nested deeper than 1000 levels");
        assertUnfit("""
                {"type": "record", "name": "R", "fields": [{"name": "r", "type": {"type": "array", "items": "R"}}]}""", ByteSlice.of(new byte[100_000], 0, 0), "it is cut off");
        byte[] deep = new byte[100_000];
        java.util.Arrays.fill(deep, (byte) 2);
        assertUnfit("""
                {"type": "record", "name": "R", "fields": [{"name": "r", "type": {"type": "array", "items": "R"}}]}""", ByteSlice.of(deep), "nested deeper than 1000 levels");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"array\", \"items\": \"null\"}",
                "[\"int\", {\"type\": \"fixed\", \"name\": \"a.F\", \"size\": 1},"
                        + " {\"type\": \"fixed\", \"name\": \"b.F\", \"size\": 1}]",
                "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 4, \"scale\": 10000}",
                "{\"type\": \"record\", \"name\": \"io.confluent.connect.avro.Anything\", \"fields\": []}"
            })
    void refusesSchemasThatConvertersRefuse(String schema) {
        assertThatThrownBy(() -> transcoder(schema(schema))).isInstanceOf(UnfitException.class);
    }
}
