package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.KeyRule;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class DocumentIdsTest {
    private static final RecordFields NO_FIELDS = new RecordFields(List.of());

    @Test
    void comeFromKeysThatHaveAText() {
        assertThat(fromKey("k")).isEqualTo("k");
        assertThat(fromKey(42L)).isEqualTo("42");
        assertThat(fromKey(true)).isEqualTo("true");
        assertThat(fromKey("\u20ac".getBytes(UTF_8))).isEqualTo("\u20ac");
        assertThat(fromKey(ByteBuffer.wrap("\u20ac".getBytes(UTF_8))))
                .as("as Avro's converter gives bytes")
                .isEqualTo("\u20ac");
    }

    @Test
    void comeFromTheRecordsPlaceInKafkaBeforeTheTransforms() {
        SinkRecord record = Documents.record("k", "{}", 7);
        SinkRecord renamed = record.newRecord("other", 0, null, "k", null, record.value(), null);
        assertThat(new String(DocumentIds.from(IdSource.COORDINATES, NO_FIELDS).keyOf(renamed), UTF_8))
                .isEqualTo("tides+0+7");
    }

    @Test
    void refusesKeysThatAreNoText() {
        assertThatThrownBy(() -> fromKey(null)).hasMessageContaining("is null").hasMessageContaining("key.ignore=true");
        assertThatThrownBy(() -> fromKey(Map.of("a", 1))).hasMessageContaining("ExtractField$Key");
        assertThatThrownBy(() -> fromKey(new byte[] {(byte) 0xff})).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> fromKey("")).hasMessageContaining("is empty");
        for (String half : new String[] {"a\ud83d", "\ude00a", "\ud83d\ud83d\ude00"}) {
            assertThatThrownBy(() -> fromKey(half)).hasMessageContaining("half a surrogate pair");
        }
        assertThat(fromKey("\ud83d\ude00")).isEqualTo("\ud83d\ude00");
    }

    /** With another version of the key's schema, the same key would be another id. */
    @Test
    void refuseKeysThatStillHaveARegistrysFrame() {
        byte[] framed = "\0\0\0\0\7\"a\"".getBytes(UTF_8);
        Template template = Template.parse("a-${key}");
        KeyRule rule = DocumentIds.from(new IdSource(IdSource.Kind.TEMPLATE, Optional.of(template)), NO_FIELDS);

        assertThatThrownBy(() -> fromKey(framed))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("set key.framing=auto for JSON");
        SinkRecord record = new SinkRecord("tides", 0, null, framed, null, "{}", 0);
        assertThatThrownBy(() -> rule.keyOf(record)).hasMessageContaining("set key.framing=auto for JSON");
        assertThat(new String(DocumentIds.from(IdSource.COORDINATES, NO_FIELDS).keyOf(record), UTF_8))
                .isEqualTo("tides+0+0");
        assertThat(fromKey("\0\7".getBytes(UTF_8))).as("too short").isEqualTo("\0\7");
    }

    @Test
    void areBoundedInBytes() {
        assertThat(fromKey("x".repeat(512))).hasSize(512);
        assertThatThrownBy(() -> fromKey("x".repeat(513)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the document's id has 513 bytes, and Elasticsearch allows 512");
        assertThatThrownBy(() -> fromKey("\u20ac".repeat(171))).hasMessageContaining("513 bytes");
    }

    @Test
    void comeFromATemplate() {
        Template template = Template.parse("${field:$.station.id}/${key}");
        KeyRule rule = DocumentIds.from(
                new IdSource(IdSource.Kind.TEMPLATE, Optional.of(template)), new RecordFields(template.fields()));
        assertThat(new String(rule.keyOf(Documents.record("k", "{\"station\":{\"id\":7}}", 0)), UTF_8))
                .isEqualTo("7/k");
        assertThatThrownBy(() -> rule.keyOf(Documents.record("k\ud83d", "{\"station\":{\"id\":7}}", 0)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the document's id holds half a surrogate pair, which has no form in UTF-8");
        assertThatThrownBy(() -> rule.keyOf(Documents.record("k", "{}", 0)))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "the record has no id: the field $.station.id is missing, and a string, a number or a boolean"
                                + " is needed; see document.id");
    }

    @Test
    void areLeftToElasticsearch() {
        assertThat(DocumentIds.from(IdSource.NONE, NO_FIELDS).keyOf(Documents.record("k", "{}", 0)))
                .isEmpty();
    }

    private static String fromKey(Object key) {
        return new String(DocumentIds.from(IdSource.KEY, NO_FIELDS).keyOf(Documents.record(key, "{}", 0)), UTF_8);
    }
}
