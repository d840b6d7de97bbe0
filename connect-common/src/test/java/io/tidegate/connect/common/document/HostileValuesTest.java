package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** Values that no converter should give, and some that only few do: each becomes JSON or is refused with a reason. */
final class HostileValuesTest {
    private static final int VALUES = 10_000;
    private static final int MAX_DEPTH = 4;

    private static final JsonFactory STRICT = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final String[] TEXTS = {
        "",
        "a",
        "\u0000",
        "\ud83c",
        "\udf0a\ud83c",
        "\ud83c\udf0a",
        "\"\\\n\r\t",
        "\u001f\u007f\u2028\ufeff",
        "n0",
        "\\u0000"
    };

    private static final Schema PART = SchemaBuilder.struct()
            .optional()
            .field("n0", SchemaBuilder.int8().optional().defaultValue((byte) 7).build())
            .field("\u0000\ud83c", Schema.OPTIONAL_STRING_SCHEMA)
            .field("d", Decimal.builder(2).optional().build())
            .field("t", Timestamp.builder().optional().build())
            .field("b", Schema.OPTIONAL_BYTES_SCHEMA)
            .field("f", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .build();

    private static final Schema[] SCHEMAS = {
        null,
        null,
        Schema.STRING_SCHEMA,
        Schema.OPTIONAL_BYTES_SCHEMA,
        Timestamp.SCHEMA,
        PART,
        SchemaBuilder.array(Timestamp.SCHEMA).build(),
        SchemaBuilder.map(Schema.STRING_SCHEMA, Decimal.schema(2)).build()
    };

    private final Random random = new Random(11);
    private final Progress progress = Records.progress(0);

    @Test
    void becomeJsonOrAreRefusedWithAReason() throws IOException {
        DocumentMapper mapper = new DocumentMapper(Records.topicsAsDestinations(), KeyRule.NONE, NullValues.FAIL);
        int mapped = 0;
        for (int i = 0; i < VALUES; i++) {
            Object value = value(0);
            Schema schema = schemaOf(value);
            Optional<Document> document = mapped(mapper, new SinkRecord("t", 0, null, null, schema, value, i));
            boolean isText = value instanceof String || value instanceof byte[] || value instanceof ByteBuffer;
            if (document.isPresent() && !isText) { // a text is checked by the sinks
                mapped++;
                assertThat(isJson(document.get().json().bytes()))
                        .as("run %d", i)
                        .isTrue();
            }
        }
        assertThat(mapped).as("values of both kinds").isBetween(VALUES / 10, VALUES * 9 / 10);
    }

    @Test
    void becomeMetadataOrAreRefusedWithAReason() throws IOException {
        MetadataEncoder encoder = new MetadataEncoder(text -> text, json -> json);
        int encoded = 0;
        for (int i = 0; i < VALUES; i++) {
            Object key = value(2);
            SinkRecord record = new SinkRecord("t", 0, schemaOf(key), key, null, "{}", i);
            Object header = value(2);
            record.headers().add(text(), header, header instanceof Struct ? PART : null);
            try {
                encoder.keyOf(record);
                assertThat(isJson(encoder.headersOf(record).orElseThrow().bytes()))
                        .as("run %d", i)
                        .isTrue();
                assertThat(HeapWeight.of(record, Document.NO_KEY, null)).isPositive();
                encoded++;
            } catch (RefusedException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(encoded).as("values of both kinds").isBetween(VALUES / 10, VALUES * 99 / 100);
    }

    /** A field of the value where it stands is the field of its JSON. */
    @Test
    void haveTheFieldsOfTheirJson() {
        DocumentMapper mapper = new DocumentMapper(Records.topicsAsDestinations(), KeyRule.NONE, NullValues.FAIL);
        JsonPath path = JsonPath.parse("$['n0'][0]");
        RecordFields fields = new RecordFields(List.of(path));
        int read = 0;
        for (int i = 0; i < VALUES; i++) {
            Map<Object, Object> value = new HashMap<>(Map.of("n0", Collections.singletonList(value(3))));
            value.put(text(), value(3));
            SinkRecord record = new SinkRecord("t", 0, null, null, null, value, i);
            Optional<Document> document = mapped(mapper, record);
            if (document.isPresent()) {
                Optional<FieldValue> there = field(fields, record, path);
                Optional<FieldValue> written = field(fields, document.get().record(), path);
                if (written.isEmpty()) {
                    assertThat(new String(document.get().json().bytes(), UTF_8)).containsPattern("(?i)\\\\ud[89a-f]");
                    continue; // Jackson reads no name with half a surrogate pair
                }
                assertThat(written.map(FieldValue::kind)).as("run %d", i).isEqualTo(there.map(FieldValue::kind));
                if (there.get().kind() != FieldValue.Kind.MISSING) {
                    assertThat(written.get().json().bytes())
                            .as("run %d", i)
                            .isEqualTo(there.get().json().bytes());
                }
                read++;
            }
        }
        assertThat(read).isGreaterThan(VALUES / 10);
    }

    private static Optional<FieldValue> field(RecordFields fields, SinkRecord record, JsonPath path) {
        try {
            return Optional.of(fields.get(record, path));
        } catch (RefusedException e) {
            assertThat(e.getMessage()).isNotBlank();
            return Optional.empty();
        }
    }

    private Optional<Document> mapped(DocumentMapper mapper, SinkRecord record) {
        try {
            return mapper.map(record, progress);
        } catch (RefusedException e) {
            assertThat(e.getMessage()).isNotBlank();
            return Optional.empty();
        }
    }

    private static boolean isJson(byte[] bytes) throws IOException {
        assertThat(Utf8.isWellFormed(bytes)).isTrue();
        try (JsonParser parser = STRICT.createParser(withoutHalves(new String(bytes, UTF_8)))) {
            parser.nextToken();
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        }
    }

    /** The grammar allows the escape of half a surrogate pair; Jackson does not in names. */
    private static String withoutHalves(String json) {
        return json.replaceAll("\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}", "\\\\u0041");
    }

    /** Sometimes one of another type, as a transform may leave it. */
    private Schema schemaOf(Object value) {
        return value instanceof Struct struct ? struct.schema() : SCHEMAS[random.nextInt(SCHEMAS.length)];
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private Object value(int depth) {
        int kinds = depth < MAX_DEPTH ? 26 : 22;
        return switch (random.nextInt(kinds)) {
            case 0, 1, 2 -> text();
            case 3 -> random.nextBoolean();
            case 4 -> (byte) random.nextInt();
            case 5 -> random.nextLong();
            case 6 -> random.nextInt(8) == 0 ? Float.NaN : random.nextFloat();
            case 7 -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : random.nextDouble() * 1e300;
            case 8 -> new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(4_000) - 2_000);
            case 9 -> new BigDecimal(BigInteger.ONE, random.nextInt(20) == 0 ? Integer.MIN_VALUE : -5);
            case 10 -> BigInteger.TEN.pow(random.nextInt(400));
            case 11 -> new byte[] {'{', (byte) random.nextInt()};
            case 12 ->
                ByteBuffer.wrap(new byte[] {'1', (byte) random.nextInt()}).position(random.nextInt(3));
            case 13 -> Date.from(Instant.ofEpochMilli(random.nextLong()));
            case 14 -> new java.sql.Date(random.nextInt());
            case 15 -> new java.sql.Time(random.nextInt());
            case 16 -> new java.sql.Timestamp(random.nextInt());
            case 17 -> random.nextInt(8) == 0 ? Instant.EPOCH : 1;
            case 18 -> random.nextInt(8) == 0 ? new AtomicLong() : (short) 2;
            case 19 -> random.nextInt(8) == 0 ? new char[] {'a'} : "b";
            case 20, 21 -> part();
            case 22, 23 -> map(depth);
            default -> list(depth);
        };
    }

    private Object part() {
        Struct part = new Struct(PART);
        if (random.nextBoolean()) {
            part.put("\u0000\ud83c", text())
                    .put("d", new BigDecimal("1.50"))
                    .put("t", Date.from(Instant.ofEpochMilli(random.nextLong())))
                    .put("b", ByteBuffer.wrap(new byte[] {1}))
                    .put("f", random.nextInt(8) == 0 ? Double.NaN : -0.0);
        }
        return part;
    }

    private Object map(int depth) {
        Map<Object, Object> map = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Object key = random.nextInt(20) == 0 ? value(MAX_DEPTH) : text();
            map.put(random.nextInt(40) == 0 ? null : key, random.nextInt(6) == 0 ? null : value(depth + 1));
        }
        if (random.nextInt(50) == 0) {
            map.put("itself", map);
        }
        return map;
    }

    private Object list(int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(random.nextInt(6) == 0 ? null : value(depth + 1));
        }
        return list;
    }
}
