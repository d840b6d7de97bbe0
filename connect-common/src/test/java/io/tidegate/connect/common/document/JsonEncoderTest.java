package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.junit.jupiter.api.Test;

final class JsonEncoderTest {
    private static final Date SIX_MINUTES_PAST = Date.from(Instant.parse("2015-01-01T00:06:00.007Z"));

    private final JsonEncoder encoder = new JsonEncoder();

    private String json(Schema schema, Object value) {
        return new String(encoder.encode(schema, value).bytes(), UTF_8);
    }

    private String json(Object value) {
        return json(null, value);
    }

    private static Object holding(Object value) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("v", value);
        return map;
    }

    @Test
    void passesBytesThroughUntouchedAndUncopied() {
        byte[] json = "{ \"v\" : 1.50 }".getBytes(UTF_8);

        assertThat(encoder.encode(null, json).array()).isSameAs(json);
    }

    @Test
    void refusesANumberOfVariableScaleThatIsNone() {
        Schema optional = variableScale(Schema.OPTIONAL_BYTES_SCHEMA);
        Struct complete =
                new Struct(optional).put("value", new byte[] {2, 0x5d}).put("scale", 1);
        assertThat(json(holding(complete))).isEqualTo("{\"v\":60.5}");

        for (Struct none : List.of(
                new Struct(optional).put("scale", 1),
                new Struct(optional).put("value", new byte[0]).put("scale", 1),
                new Struct(optional).put("value", new byte[] {1}),
                new Struct(variableScale(Schema.STRING_SCHEMA))
                        .put("value", "1")
                        .put("scale", 1),
                new Struct(SchemaBuilder.struct()
                        .name(JsonEncoder.VARIABLE_SCALE_DECIMAL)
                        .build()))) {
            assertThatThrownBy(() -> json(holding(none)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("the value holds a VariableScaleDecimal without bytes in `value` or without an int32"
                            + " in `scale`");
        }
    }

    private static Schema variableScale(Schema value) {
        return SchemaBuilder.struct()
                .name(JsonEncoder.VARIABLE_SCALE_DECIMAL)
                .field("scale", Schema.OPTIONAL_INT32_SCHEMA)
                .field("value", value)
                .build();
    }

    @Test
    void takesATextAsTheJsonThatItIs() {
        assertThat(json("{\"station\":\"Sept-Îles\"}")).isEqualTo("{\"station\":\"Sept-Îles\"}");
    }

    @Test
    void takesHalfASurrogatePairInATextForNoQuestionMark() {
        assertThat(encoder.encode(null, "{\"v\":\"\ud83c\"}").bytes()).isEqualTo(Utf8.encode("{\"v\":\"\ud83c\"}"));
    }

    @Test
    void takesWhatRemainsInAByteBufferAndLeavesItThere() {
        ByteBuffer buffer = ByteBuffer.wrap("xx{\"v\":1}".getBytes(UTF_8));
        buffer.position(2);

        assertThat(json(buffer)).isEqualTo("{\"v\":1}");
        assertThat(buffer.remaining()).isEqualTo(7);
    }

    @Test
    void writesNestedMapsAndLists() {
        Map<String, Object> reading = new LinkedHashMap<>();
        reading.put("station", "9447130");
        reading.put("levels", List.of(1L, 2, (short) 3, (byte) 4, true, Map.of("m", 0.25)));
        reading.put("quality", null);

        assertThat(json(reading))
                .isEqualTo("{\"station\":\"9447130\",\"levels\":[1,2,3,4,true,{\"m\":0.25}],\"quality\":null}");
    }

    @Test
    void writesATopLevelList() {
        assertThat(json(Arrays.asList("a", null))).isEqualTo("[\"a\",null]");
    }

    @Test
    void writesNumbersWithoutLosingDigits() {
        assertThat(json(List.of(
                        Long.MAX_VALUE,
                        new BigInteger("123456789012345678901234567890"),
                        1.1f,
                        1.1d,
                        new BigDecimal("1E+3"))))
                .isEqualTo("[9223372036854775807,123456789012345678901234567890,1.1,1.1,1000]");
    }

    @Test
    void writesAStructWithLogicalTypes() {
        Schema schema = SchemaBuilder.struct()
                .field("level", Decimal.schema(3))
                .field("day", org.apache.kafka.connect.data.Date.SCHEMA)
                .field("time", Time.SCHEMA)
                .field("at", Timestamp.SCHEMA)
                .field("raw", Schema.BYTES_SCHEMA)
                .field("buffer", Schema.BYTES_SCHEMA)
                .build();
        Struct struct = new Struct(schema)
                .put("level", new BigDecimal("1.500"))
                .put("day", Date.from(Instant.parse("2015-01-01T00:00:00Z")))
                .put("time", Date.from(Instant.parse("1970-01-01T00:06:00.007Z")))
                .put("at", SIX_MINUTES_PAST)
                .put("raw", new byte[] {1, 2, 3})
                .put("buffer", ByteBuffer.wrap(new byte[] {4}));

        assertThat(json(schema, struct))
                .isEqualTo("{\"level\":1.500,\"day\":\"2015-01-01\",\"time\":\"00:06:00.007\","
                        + "\"at\":\"2015-01-01T00:06:00.007Z\",\"raw\":\"AQID\",\"buffer\":\"BA==\"}");
    }

    @Test
    void writesADecimalPlainAndWithItsScale() {
        Schema schema = SchemaBuilder.struct().field("v", Decimal.schema(8)).build();

        assertThat(json(schema, new Struct(schema).put("v", new BigDecimal("0.00000010"))))
                .isEqualTo("{\"v\":0.00000010}");
    }

    @Test
    void keepsTheNullsOfFieldsThatHaveADefaultUnlessToldOtherwise() {
        Schema part = SchemaBuilder.struct()
                .optional()
                .field("usual", SchemaBuilder.int32().optional().defaultValue(7).build())
                .field("required", SchemaBuilder.int32().defaultValue(8).build())
                .build();
        Schema schema = SchemaBuilder.struct()
                .field("absent", Schema.OPTIONAL_STRING_SCHEMA)
                .field(
                        "usual",
                        SchemaBuilder.string().optional().defaultValue("x").build())
                .field("part", part)
                .field("parts", SchemaBuilder.array(part).build())
                .build();
        Struct struct = new Struct(schema).put("part", new Struct(part)).put("parts", List.of(new Struct(part)));

        assertThat(json(schema, struct))
                .isEqualTo("{\"absent\":null,\"usual\":null,\"part\":{\"usual\":null,\"required\":8},"
                        + "\"parts\":[{\"usual\":null,\"required\":8}]}");
    }

    @Test
    void knowsTheLogicalTypesInsideArraysAndMaps() {
        Schema days = SchemaBuilder.array(org.apache.kafka.connect.data.Date.SCHEMA);
        Schema times = SchemaBuilder.map(Schema.INT32_SCHEMA, Time.SCHEMA);

        assertThat(json(days, List.of(Date.from(Instant.EPOCH)))).isEqualTo("[\"1970-01-01\"]");
        assertThat(json(times, Map.of(5, Date.from(Instant.EPOCH)))).isEqualTo("{\"5\":\"00:00:00.000\"}");
    }

    @Test
    void writesADateWithoutASchemaAsATimestamp() {
        assertThat(json(holding(SIX_MINUTES_PAST))).isEqualTo("{\"v\":\"2015-01-01T00:06:00.007Z\"}");
    }

    @Test
    void namesFieldsByNumbersAndTruths() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(5, "a");
        map.put(6L, "b");
        map.put(true, "c");

        assertThat(json(map)).isEqualTo("{\"5\":\"a\",\"6\":\"b\",\"true\":\"c\"}");
    }

    @Test
    void startsAfreshAfterARefusal() {
        assertThatThrownBy(() -> json(holding(Double.NaN))).isInstanceOf(RefusedException.class);

        assertThat(json(holding(1))).isEqualTo("{\"v\":1}");
    }

    @Test
    void refusesNumbersThatJsonCannotExpress() {
        assertThatThrownBy(() -> json(holding(Double.NaN)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value holds the number NaN, which JSON cannot express");
        assertThatThrownBy(() -> json(holding(Float.NEGATIVE_INFINITY)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value holds the number -Infinity, which JSON cannot express");
    }

    @Test
    void refusesTypesWithoutAJsonForm() {
        assertThatThrownBy(() -> json(holding(Instant.EPOCH)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value holds a java.time.Instant, which has no JSON form");
        assertThatThrownBy(() -> json(holding(new AtomicLong())))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value holds a java.util.concurrent.atomic.AtomicLong, which has no JSON form");
    }

    @Test
    void refusesMapKeysThatCannotNameAField() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(null, 1);

        assertThatThrownBy(() -> json(Map.of(List.of(), 1)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("a map in the value has a key of type java.util.")
                .hasMessageEndingWith(", which cannot name a JSON field");
        assertThatThrownBy(() -> json(map))
                .isInstanceOf(RefusedException.class)
                .hasMessage("a map in the value has a key of type null, which cannot name a JSON field");
    }

    @Test
    void refusesEmptyValues() {
        for (Object empty : List.of(new byte[0], "", ByteBuffer.allocate(0))) {
            assertThatThrownBy(() -> json(empty))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("the value is empty, and that is not JSON");
        }
    }

    @Test
    void leavesHalfASurrogatePairToTheServerAsAnEscape() {
        assertThat(json(holding("\ud83c"))).isEqualTo("{\"v\":\"\\uD83C\"}");
    }

    @Test
    void refusesANestingWithoutEnd() {
        Object nested = 1;
        for (int depth = 0; depth < 2_000; depth++) {
            nested = new ArrayList<>(List.of(nested));
        }
        Object tooDeep = nested;

        assertThatThrownBy(() -> json(tooDeep))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the value has no JSON form: ")
                .hasMessageContaining("depth");
    }

    @Test
    void refusesADecimalThatWouldBeMillionsOfDigits() {
        assertThatThrownBy(() -> json(holding(new BigDecimal("1E+1000000000"))))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the value has no JSON form: ");
    }
}
