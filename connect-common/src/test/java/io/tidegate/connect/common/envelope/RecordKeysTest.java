package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.value.RefusedException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordKeysTest {
    private static final JsonEncoder ENCODER = new JsonEncoder();

    private final RecordKeys keys = new RecordKeys(ENCODER, new RowColumns(Events.settings(), ENCODER));

    private Object text(Object key) {
        return readable(keys.text(Events.record(key, "{}")).value());
    }

    private Object object(Object key) {
        return readable(keys.object(Events.record(key, "{}")).value());
    }

    private static Object readable(Object key) {
        return key instanceof byte[] bytes ? new String(bytes, UTF_8) : key;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":1} | 1
        {"id":"a"} | a
        {"id":"a\\"b\\u00e9"} | a"bé
        {"id":true} | true
        {"schema":{"type":"struct"},"payload":{"id":1}} | 1
        {"payload":{"id":1},"schema":null} | 1
        {"tenant":"a","id":1} | ["a","1"]
        {"tenant":"a","id":""} | ["a",""]
        {"schema":{},"payload":{"tenant":"a\\"","id":1.50}} | ["a\\"","1.50"]
        {"schema":"a","payload":"b","id":1} | ["a","b","1"]
        {"schema":"public","payload":5} | ["public","5"]
        {"payload":5,"schema":"public"} | ["5","public"]
        plain | plain
        """)
    void theColumnsBecomeOneText(String key, String text) {
        assertThat(text(key)).isEqualTo(text);
        assertThat(text(key.getBytes(UTF_8))).isEqualTo(text);
    }

    @Test
    void structsAreReadAsTheirJson() {
        Schema schema = SchemaBuilder.struct()
                .field("tenant", Schema.STRING_SCHEMA)
                .field("id", Schema.INT64_SCHEMA)
                .field("n", Decimal.schema(2))
                .field("hash", Schema.BYTES_SCHEMA)
                .build();
        Struct struct = new Struct(schema)
                .put("tenant", "a")
                .put("id", 1L)
                .put("n", new BigDecimal("60.00"))
                .put("hash", new byte[] {0, 1, -1});
        String json = "{\"tenant\":\"a\",\"id\":1,\"n\":60.00,\"hash\":\"AAH/\"}";

        assertThat(keys.object(Events.record(struct, "{}")).schema()).isEqualTo(schema);
        assertThat(text(struct)).isEqualTo(text(json)).isEqualTo("[\"a\",\"1\",\"60.00\",\"AAH/\"]");
        assertThat(object(struct)).isEqualTo(json);
    }

    @Test
    void numbersAreDecodedAsTheKeysSchemaSays() {
        String decimal = """
            {"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2"},"field":"id"}""";
        String variable = """
            {"type":"struct","name":"io.debezium.data.VariableScaleDecimal","fields":[],"field":"n"}""";
        String key = "{\"schema\":{\"type\":\"struct\",\"fields\":[" + decimal + "," + variable
                + "]},\"payload\":{\"id\":\"F3A=\",\"n\":{\"scale\":1,\"value\":\"Al0=\"}}}";

        assertThat(text(key)).isEqualTo("[\"60.00\",\"60.5\"]");
        assertThat(object(key)).isEqualTo("{\"id\":60.00,\"n\":60.5}");
        assertThat(keys.object(Events.record(key, "{}"))
                        .schema()
                        .field("id")
                        .schema()
                        .type())
                .isEqualTo(Schema.Type.BYTES);
    }

    @Test
    void aMapOfOneColumnIsRead() {
        assertThat(text(Map.of("id", 1))).isEqualTo("1");
        assertThat(text(Map.of("schema", Map.of(), "payload", Map.of("id", 1)))).isEqualTo("1");
        assertThat(object(new TreeMap<>(Map.of("a", "x", "b", 2)))).isEqualTo("{\"a\":\"x\",\"b\":2}");
    }

    @Test
    void aMapOfSeveralColumnsHasATextOnlyIfItKeepsTheirOrder() {
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put("tenant", "a");
        ordered.put("id", 1);

        assertThat(text(ordered)).isEqualTo("[\"a\",\"1\"]");
        assertThat(text(Map.of("schema", Map.of(), "payload", ordered))).isEqualTo("[\"a\",\"1\"]");
        for (Map<String, Object> map : List.of(
                new HashMap<>(ordered),
                Map.<String, Object>of("schema", Map.of(), "payload", new HashMap<>(ordered)))) {
            assertThatThrownBy(() -> text(map))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("the key has several columns in a map, which does not keep their order: set"
                            + " key.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
        }
    }

    @Test
    void onlyThePayloadIsLeftOfAnObject() {
        byte[] plain = "{\"id\":1}".getBytes(UTF_8);
        byte[] around = "{\"schema\":{\"a\":[1]},\"payload\":{\"id\":1}}".getBytes(UTF_8);

        assertThat(keys.object(Events.record(plain, "{}")).value()).isSameAs(plain);
        assertThat(object(around)).isEqualTo("{\"id\":1}");
        for (String columns : List.of("{\"payload\":{\"id\":1}}", "{\"schema\":\"public\",\"payload\":5}")) {
            assertThat(object(columns)).isEqualTo(columns);
        }
    }

    /** As MongoDB's connector writes them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":"{\\"$oid\\": \\"596e275826f08b2730779e1f\\"}"} | {"$oid": "596e275826f08b2730779e1f"}
        {"id":"1234"} | 1234
        {"id":"\\"a\\""} | "a"
        {"id":"{\\"a\\": 1, \\"b\\": [2.0]}"} | {"a": 1, "b": [2.0]}
        {"id":"{\\"$binary\\": {\\"base64\\": \\"AAH/\\", \\"subType\\": \\"04\\"}}"} | {"$binary": {"base64": "AAH/", "subType": "04"}}
        """)
    void anIdOfMongoDbIsTheTextOfItsJson(String key, String text) {
        assertThat(text(key)).isEqualTo(text);
        assertThat(object(key)).isEqualTo(key);
    }

    @Test
    void aRecordWithoutAKeyStaysWithoutOne() {
        assertThat(text(null)).isNull();
        assertThat(object(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"id\":null}", "{\"id\":{}}", "{\"id\":[1]}", "{\"id\":\"\"}", "{\"id\":1", "{\"id\":1}}"
            })
    void aKeyWithoutATextIsRefused(String key) {
        assertThatThrownBy(() -> text(key)).isInstanceOf(RefusedException.class);
    }
}
