package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordKeysTest {
    private final RecordKeys keys = new RecordKeys();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":1} | 1
        {"id":"a"} | a
        {"id":"a\\"b\\u00e9"} | a"bé
        {"id":true} | true
        {"schema":{"type":"struct"},"payload":{"id":1}} | 1
        {"payload":{"id":1},"schema":null} | 1
        {"tenant":"a","id":1} | ["a","1"]
        {"schema":{},"payload":{"tenant":"a\\"","id":1.50}} | ["a\\"","1.50"]
        {"schema":"a","payload":"b","id":1} | ["a","b","1"]
        plain | plain
        """)
    void theColumnsBecomeOneText(String key, String text) {
        assertThat(keys.text(key)).isEqualTo(text);
        byte[] bytes = key.getBytes(UTF_8);
        Object ofBytes = keys.text(bytes);
        assertThat(ofBytes instanceof byte[] same ? new String(same, UTF_8) : ofBytes)
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":1} | 1
        {"tenant":"a","id":"b\\u00e9"} | bé
        {"schema":{},"payload":{"id":1,"n":{}}} | 1
        {"id":1,"id":2} | 1
        {"n":1} | {"n":1}
        {"id":null} | {"id":null}
        {"id":{"a":1}} | {"id":{"a":1}}
        plain | plain
        """)
    void oneColumnIsTheTextIfTheKeyHasIt(String key, String text) {
        Object inForm = keys.in(KeyForm.of("id"), key.getBytes(UTF_8));

        assertThat(inForm instanceof byte[] same ? new String(same, UTF_8) : inForm)
                .isEqualTo(text);
    }

    @Test
    void structsAndMapsAreReadToo() {
        Schema schema = SchemaBuilder.struct()
                .field("tenant", Schema.STRING_SCHEMA)
                .field("id", Schema.INT64_SCHEMA)
                .build();
        Struct struct = new Struct(schema).put("tenant", "a").put("id", 1L);
        Map<String, Object> map = new TreeMap<>(Map.of("a", "x", "b", 2));

        assertThat(keys.text(struct)).isEqualTo("[\"a\",\"1\"]");
        assertThat(keys.text(map)).isEqualTo("[\"x\",\"2\"]");
        assertThat(keys.text(Map.of("schema", Map.of(), "payload", Map.of("id", 1))))
                .isEqualTo("1");
        assertThat(keys.object(struct)).isSameAs(struct);
    }

    @Test
    void onlyThePayloadIsLeftOfAnObject() {
        byte[] plain = "{\"id\":1}".getBytes(UTF_8);
        byte[] around = "{\"schema\":{\"a\":[1]},\"payload\":{\"id\":1}}".getBytes(UTF_8);

        assertThat(keys.object(plain)).isSameAs(plain);
        assertThat(keys.object(around)).isEqualTo(plain);
        assertThat(keys.object("{\"payload\":{\"id\":1}}")).isEqualTo("{\"payload\":{\"id\":1}}");
    }

    @Test
    void aRecordWithoutAKeyStaysWithoutOne() {
        assertThat(keys.text(null)).isNull();
        assertThat(keys.object(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"id\":null}", "{\"id\":{}}", "{\"id\":[1]}", "{\"id\":\"\"}", "{\"id\":1", "{\"id\":1}}"
            })
    void aKeyWithoutATextIsRefused(String key) {
        assertThatThrownBy(() -> keys.text(key)).isInstanceOf(RefusedException.class);
    }
}
