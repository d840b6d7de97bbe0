package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.RowKeys.KeyObjects;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowKeysTest {
    private static final Schema DEFAULTED = SchemaBuilder.struct()
            .field("id", SchemaBuilder.int64().optional().defaultValue(5L).build())
            .build();

    private static byte[] keyOf(SinkRecord record, String... settings) {
        return keyOf(record, KeyObjects.BY_PATH, settings);
    }

    private static byte[] keyOf(SinkRecord record, KeyObjects objects, String... settings) {
        Map<String, String> props = new HashMap<>(
                Map.of("connection.url", "jdbc:postgresql://a/b", "pk.mode", "record_key", "pk.fields", "id"));
        for (String setting : settings) {
            String[] pair = setting.split("=", 2);
            props.put(pair[0], pair[1]);
        }
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), props, false);
        return RowKeys.of(RowSettings.from(config), objects).keyOf(record);
    }

    private static byte[] keyOf(Object key, String... settings) {
        return keyOf(new SinkRecord("tides", 0, null, key, null, "{}", 0), settings);
    }

    private static byte[] keyOfValue(Object value, String... settings) {
        SinkRecord record = new SinkRecord("tides", 0, null, null, null, value, 0);
        String[] all = new String[settings.length + 1];
        System.arraycopy(settings, 0, all, 0, settings.length);
        all[settings.length] = "pk.mode=record_value";
        return keyOf(record, all);
    }

    /** So a column of bytes gets the bytes, and not the characters of their Base64. */
    @Test
    void bytesOfASchemaAreWrittenAsPostgresqlWritesThem() {
        Schema schema = SchemaBuilder.struct()
                .field("id", Schema.BYTES_SCHEMA)
                .field("name", Schema.STRING_SCHEMA)
                .build();
        Struct struct = new Struct(schema).put("id", new byte[] {0, 1, -1}).put("name", "AAH/");
        byte[] json = "{\"id\":\"AAH/\",\"name\":\"AAH/\"}".getBytes(UTF_8);

        assertThat(keyOf(struct)).asString(UTF_8).isEqualTo("\\x0001ff");
        assertThat(keyOf(struct, "pk.fields=id,name")).asString(UTF_8).isEqualTo("[\"\\\\x0001ff\",\"AAH/\"]");
        assertThat(keyOf(new SinkRecord("tides", 0, schema, json, null, "{}", 0), KeyObjects.POSSIBLE))
                .as("as change events have it")
                .asString(UTF_8)
                .isEqualTo("\\x0001ff");
        assertThat(keyOf(new SinkRecord("tides", 0, null, null, schema, json, 0), "pk.mode=record_value"))
                .asString(UTF_8)
                .isEqualTo("\\x0001ff");
        assertThat(keyOf(new SinkRecord("tides", 0, null, json, null, "{}", 0), KeyObjects.POSSIBLE))
                .as("without a schema nobody knows")
                .asString(UTF_8)
                .isEqualTo("AAH/");
    }

    /** With another version of the key's schema, the same key would be another row. */
    @Test
    void refuseKeysThatStillHaveARegistrysFrame() {
        byte[] framed = "\0\0\0\0\7\"a\"".getBytes(UTF_8);

        for (String setting : new String[] {"behavior.on.unstorable.characters=strip", "pk.fields=id,name"}) {
            assertThatThrownBy(() -> keyOf(framed, setting))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("set key.framing=auto for JSON");
        }
        assertThat(keyOf(new SinkRecord("tides", 0, null, framed, null, "{\"id\":7}", 0), "pk.mode=record_value"))
                .asString(UTF_8)
                .isEqualTo("7");
    }

    @Test
    void areTheTextOfTheRecordsKey() {
        assertThat(keyOf("k")).asString(UTF_8).isEqualTo("k");
        assertThat(keyOf(7)).asString(UTF_8).isEqualTo("7");
        assertThat(keyOf("\u20ac".getBytes(UTF_8))).asString(UTF_8).isEqualTo("\u20ac");
        assertThat(keyOf(ByteBuffer.wrap("\u20ac".getBytes(UTF_8))))
                .as("as Avro's converter gives bytes")
                .asString(UTF_8)
                .isEqualTo("\u20ac");
    }

    @Test
    void areFieldsOfAnObjectInTextOrBytesIfThatIsPossible() {
        for (Object key : new Object[] {"{\"id\":7}", "{\"id\":\"7\"}".getBytes(UTF_8), Map.of("id", 7), "7", 7}) {
            assertThat(keyOf(new SinkRecord("tides", 0, null, key, null, "{}", 0), KeyObjects.POSSIBLE))
                    .asString(UTF_8)
                    .isEqualTo("7");
        }
        assertThat(keyOf("{\"id\":7}")).asString(UTF_8).isEqualTo("{\"id\":7}");
    }

    @Test
    void areAFieldOfAnObjectInTextOrBytesIfAPathLeadsThere() {
        String json = "{\"a\":{\"b\":7}}";
        for (Object key : new Object[] {json, json.getBytes(UTF_8), "7"}) {
            assertThat(keyOf(key, "pk.fields=id:$.a.b")).asString(UTF_8).isEqualTo("7");
        }
        assertThatThrownBy(() -> keyOf("{\"id\":7}", "pk.fields=id:$.a.b"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("no usable field $.a.b for the column id");
    }

    /** Only a warning: the columns that are named may suffice. */
    @Test
    void mayBeAPartOfAChangeEventsKey() {
        SinkRecord record = new SinkRecord("tides", 0, null, "{\"tenant\":1,\"id\":7}".getBytes(UTF_8), null, "{}", 0);
        assertThat(keyOf(record, KeyObjects.WHOLE, "pk.fields=id"))
                .asString(UTF_8)
                .isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource({"replace, a?b", "strip, ab"})
    void areStorableIfTheSettingSaysSo(String behavior, String expected) {
        String setting = "behavior.on.unstorable.characters=" + behavior;
        String repaired = expected.replace('?', '\ufffd');
        for (String unstorable : new String[] {"a\u0000b", "a\ud83cb"}) {
            assertThat(keyOf(unstorable, setting)).asString(UTF_8).isEqualTo(repaired);
            assertThat(keyOf(Utf8.encode(unstorable), setting)).asString(UTF_8).isEqualTo(repaired);
            assertThat(keyOf(Map.of("id", unstorable), setting)).asString(UTF_8).isEqualTo(repaired);
            assertThat(keyOfValue(Map.of("id", unstorable), setting))
                    .asString(UTF_8)
                    .isEqualTo(repaired);
            assertThat(keyOfValue(Map.of("id", unstorable, "n", 1), setting, "pk.fields=id,n"))
                    .asString(UTF_8)
                    .isEqualTo("[\"" + repaired + "\",\"1\"]");
        }
        assertThat(keyOf("a\\u0000", setting)).asString(UTF_8).isEqualTo("a\\u0000");
    }

    @Test
    void keepForTheServerToRefuseWhatItCannotStore() {
        assertThat(keyOf("a\ud83c")).isEqualTo(Utf8.encode("a\ud83c"));
        assertThat(keyOfValue("{\"id\":\"\\ud83c\"}")).isEqualTo(Utf8.encode("\ud83c"));
        assertThat(keyOfValue(Map.of("id", "\ud83c", "n", 1), "pk.fields=id,n"))
                .isEqualTo(Utf8.encode("[\"\ud83c\",\"1\"]"));
    }

    @Test
    void areRefusedIfNothingIsLeftOfThem() {
        assertThatThrownBy(() -> keyOf("\u0000", "behavior.on.unstorable.characters=strip"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("an empty or unsuitable String");
    }

    @Test
    void haveNoDefaultWhereTheFieldIsNull() {
        SinkRecord record = new SinkRecord("tides", 0, DEFAULTED, new Struct(DEFAULTED), null, "{}", 0);

        assertThatThrownBy(() -> keyOf(record))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("it is not there or null");
    }
}
