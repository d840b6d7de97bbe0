package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.Utf8;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class MetadataEncoderTest {
    private static final Schema PART = SchemaBuilder.struct()
            .field("id", SchemaBuilder.int32().optional().defaultValue(7).build())
            .build();

    private final MetadataEncoder encoder = encoder();

    /** Marks what it looked at. */
    private static MetadataEncoder encoder() {
        return new MetadataEncoder(text -> marked("text ", text), json -> ByteSlice.of(marked("json ", json.bytes())));
    }

    private static byte[] marked(String mark, byte[] bytes) {
        return (mark + new String(bytes, UTF_8)).getBytes(UTF_8);
    }

    private static SinkRecord keyed(Schema schema, Object key) {
        return new SinkRecord("tides", 0, schema, key, null, "{}", 0);
    }

    private String key(Object key) {
        return new String(encoder.keyOf(keyed(null, key)).orElseThrow().bytes(), UTF_8);
    }

    @Test
    void writesKeysAsTextWhereTheyAreAndAsJsonWhereTheyAreNot() {
        assertThat(key("k")).isEqualTo("text k");
        assertThat(key(7L)).isEqualTo("text 7");
        assertThat(key(List.of("a", 1))).isEqualTo("json [\"a\",1]");
        assertThat(encoder.keyOf(keyed(null, null))).isEmpty();
    }

    @Test
    void writesBytesAsTextOrBase64InWhateverFormTheyCome() {
        for (byte[] bytes : List.of("\u20ac".getBytes(UTF_8), new byte[] {(byte) 0xff})) {
            String expected = bytes.length == 1 ? "/w==" : "\u20ac";
            SinkRecord record = keyed(null, null);
            record.headers().addBytes("array", bytes).add("buffer", ByteBuffer.wrap(bytes), Schema.BYTES_SCHEMA);

            assertThat(key(bytes)).isEqualTo("text " + expected);
            assertThat(key(ByteBuffer.wrap(bytes))).isEqualTo("text " + expected);
            assertThat(encoder.headersOf(record).orElseThrow().bytes())
                    .asString(UTF_8)
                    .isEqualTo("json {\"array\":\"" + expected + "\",\"buffer\":\"" + expected + "\"}");
        }
    }

    @Test
    void takesHalfASurrogatePairForNoQuestionMark() {
        MetadataEncoder plain = new MetadataEncoder(text -> text, json -> json);
        SinkRecord record = keyed(null, "\ud83c");
        record.headers().addString("h\ud83c", "\udf0a");

        assertThat(plain.keyOf(record).orElseThrow().bytes()).isEqualTo(Utf8.encode("\ud83c"));
        assertThat(plain.headersOf(record).orElseThrow().bytes())
                .asString(UTF_8)
                .isEqualTo("{\"h\\uD83C\":\"\\uDF0A\"}");
    }

    @Test
    void keepsTheNullOfAFieldThatHasADefault() {
        SinkRecord record = keyed(PART, new Struct(PART));
        record.headers().add("h", new Struct(PART), PART);

        assertThat(encoder.keyOf(record).orElseThrow().bytes()).asString(UTF_8).isEqualTo("json {\"id\":null}");
        assertThat(encoder.headersOf(record).orElseThrow().bytes())
                .asString(UTF_8)
                .isEqualTo("json {\"h\":{\"id\":null}}");
    }
}
