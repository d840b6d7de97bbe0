package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.Slices;
import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.FieldValue.Kind;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class RecordFieldsTest {
    private static final Schema STATION = SchemaBuilder.struct()
            .field("id", Schema.STRING_SCHEMA)
            .field("levels", SchemaBuilder.array(Decimal.schema(2)))
            .field("at", Timestamp.SCHEMA)
            .field("raw", Schema.OPTIONAL_BYTES_SCHEMA);
    private static final Schema READING = SchemaBuilder.struct()
            .field("station", STATION)
            .field("tags", SchemaBuilder.map(Schema.INT32_SCHEMA, Schema.STRING_SCHEMA));

    @Test
    void readsJsonInEveryForm() {
        String json = "{\"a\":{\"b\":\"x\"}}";
        assertThat(text(null, json, "$.a.b")).isEqualTo("x");
        assertThat(text(null, json.getBytes(UTF_8), "$.a.b")).isEqualTo("x");
        assertThat(text(null, Slices.inside(json.getBytes(UTF_8)), "$.a.b")).isEqualTo("x");
        assertThat(text(null, ByteBuffer.wrap(json.getBytes(UTF_8)), "$.a.b")).isEqualTo("x");
    }

    @Test
    void readsStructsWithTheTextsOfTheEncodedDocument() {
        Struct value = new Struct(READING)
                .put(
                        "station",
                        new Struct(STATION)
                                .put("id", "9414290")
                                .put("levels", List.of(new BigDecimal("1.50"), new BigDecimal("-2.00")))
                                .put("at", Date.from(Instant.EPOCH)))
                .put("tags", Map.of(7, "seven"));
        assertThat(text(READING, value, "$.station.id")).isEqualTo("9414290");
        assertThat(text(READING, value, "$.station.levels[1]")).isEqualTo("-2.00");
        assertThat(text(READING, value, "$.station.at")).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(text(READING, value, "$.tags['7']")).isEqualTo("seven");
        assertThat(text(READING, value, "$.station.levels")).isEqualTo("[1.50,-2.00]");
        assertThat(get(READING, value, "$.station.raw").kind()).isEqualTo(Kind.NULL);
        assertThat(get(READING, value, "$.station.nothing").kind()).isEqualTo(Kind.MISSING);
        assertThat(get(READING, value, "$.station[0]").kind()).isEqualTo(Kind.MISSING);
        assertThat(get(READING, value, "$.station.levels[2]").kind()).isEqualTo(Kind.MISSING);
        assertThat(get(READING, value, "$.station.levels.x").kind()).isEqualTo(Kind.MISSING);
    }

    /** Tasks of one worker read at the same time. */
    @Test
    void sharesNothingWithOtherReaders() {
        JsonPath path = JsonPath.parse("$.station");
        List<String> wrong = IntStream.range(0, 4)
                .parallel()
                .boxed()
                .flatMap(task -> {
                    RecordFields fields = new RecordFields(List.of(path));
                    return IntStream.range(0, 20_000)
                            .mapToObj(i -> Map.of("station", task + "-" + "x".repeat(i % 50)))
                            .filter(value -> !fields.get(record(null, value), path)
                                    .text()
                                    .equals(value.get("station")))
                            .map(Map::toString);
                })
                .toList();
        assertThat(wrong).isEmpty();
    }

    @Test
    void readsTheNullOfAFieldThatHasADefaultAsTheDocumentHasIt() {
        Schema key = SchemaBuilder.struct()
                .field("id", SchemaBuilder.int64().optional().defaultValue(0L).build())
                .build();
        JsonPath path = JsonPath.parse("id");
        SinkRecord record = new SinkRecord("tides", 0, key, new Struct(key), key, new Struct(key), 0);

        assertThat(new RecordFields(List.of(path)).get(record, path).kind()).isEqualTo(Kind.NULL);
        assertThat(RecordFields.ofKey(List.of(path)).get(record, path).kind()).isEqualTo(Kind.NULL);
    }

    @Test
    void readsSchemalessValues() {
        Map<String, Object> value =
                Map.of("a", List.of(1L, Map.of("b", true)), "n", new TreeMap<>(Map.of(1, "one")), "quoted", "\"x\"");
        assertThat(text(null, value, "$.a[1].b")).isEqualTo("true");
        assertThat(text(null, value, "$.n['1']")).isEqualTo("one");
        assertThat(text(null, value, "$.quoted")).isEqualTo("\"x\"");
        assertThat(text(null, List.of("x"), "$[0]")).isEqualTo("x");
    }

    @Test
    void readsEachRecordOnceAndAnew() {
        JsonPath path = JsonPath.parse("a");
        RecordFields fields = new RecordFields(List.of(path, JsonPath.parse("b"), path));
        SinkRecord first = record(null, "{\"a\":1,\"b\":2}");
        assertThat(fields.get(first, path).text()).isEqualTo("1");
        assertThat(fields.get(first, path)).isSameAs(fields.get(first, path));
        assertThat(fields.get(first, JsonPath.parse("b")).text()).isEqualTo("2");
        assertThatThrownBy(() -> fields.get(record(null, "{"), path)).isInstanceOf(RefusedException.class);
        assertThat(fields.get(record(null, "{\"a\":3}"), path).text()).isEqualTo("3");
    }

    @Test
    void findsNothingInATombstone() {
        assertThat(get(null, null, "$.a").kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void knowsOnlyWhatItWasMadeFor() {
        JsonPath path = JsonPath.parse("a");
        assertThatThrownBy(() -> new RecordFields(List.of()).get(record(null, "{}"), path))
                .hasMessage("$.a is not among the fields to read");
    }

    @Test
    void datesNamesByTheTimesThatItIsGiven() {
        JsonPath path = JsonPath.parse("at");
        Template template = Template.parse("${timestamp:yyyy}");
        SinkRecord record = record(null, "{\"at\":\"2024-06-01T00:00:00Z\"}");
        RecordFields fields = new RecordFields(
                List.of(path),
                (of, read) -> Optional.of(Instant.parse(read.get(of, path).text())));

        assertThat(template.isOfTime()).isTrue();
        assertThat(template.fill(record, fields)).isEqualTo("2024");
        assertThatThrownBy(() -> template.fill(record, new RecordFields(List.of())))
                .hasMessage("the record has no timestamp");
    }

    private static String text(Schema schema, Object value, String path) {
        return get(schema, value, path).text();
    }

    private static FieldValue get(Schema schema, Object value, String path) {
        JsonPath parsed = JsonPath.parse(path);
        return new RecordFields(List.of(parsed)).get(record(schema, value), parsed);
    }

    private static SinkRecord record(Schema schema, Object value) {
        return new SinkRecord("tides", 0, null, null, schema, value, 0);
    }
}
