package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.testkit.scenarios.HostileJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AddedMembersTest {
    private static final Map<String, String> ALL =
            Map.of("metadata.fields", "topic,partition,offset,timestamp,timestamp_type,key,headers");

    private static final int HOSTILE = 10_000;

    @Test
    void addsTheRecordsMetadataAsAnObject() throws IOException {
        assertThat(source(ALL, document("k\"1", "{\"level\": 1.50}")))
                .isEqualTo("{\"kafka\":{\"topic\":\"tides\",\"partition\":3,\"offset\":7,"
                        + "\"timestamp\":\"1970-01-01T00:00:07Z\",\"timestamp_type\":\"CreateTime\",\"key\":\"k\\\"1\","
                        + "\"headers\":{\"a\":\"new\",\"n\":{\"b\":[1]}}},\"level\": 1.50}");
    }

    @Test
    void addsNullForWhatTheRecordDoesNotHave() throws IOException {
        SinkRecord record = new SinkRecord("tides", 0, null, null, null, "{}", 0);
        Document document = Document.write(
                record,
                new Progress(new TopicPartition("tides", 0), 1),
                "tides",
                Document.NO_KEY,
                "{}".getBytes(UTF_8));
        assertThat(source(ALL, document))
                .isEqualTo("{\"kafka\":{\"topic\":\"tides\",\"partition\":0,\"offset\":0,\"timestamp\":null,"
                        + "\"timestamp_type\":null,\"key\":null,\"headers\":null}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "offset:at | {} | {\"at\":7}",
                "offset:at | ` {  } ` | ` {\"at\":7  } `",
                "offset:at,topic:from | {\"a\":1} | {\"at\":7,\"from\":\"tides\",\"a\":1}",
                "offset:a.b.c,partition:a.d,topic:t | {} | {\"a\":{\"b\":{\"c\":7},\"d\":3},\"t\":\"tides\"}",
                "offset:o\"ne | {} | {\"o\\\"ne\":7}",
                "offset | {\"kaf\":1,\"kafkas\":{\"kafka\":1}} | {\"kafka\":{\"offset\":7},\"kaf\":1,\"kafkas\":{\"kafka\":1}}"
            })
    void namesFieldsAsTold(String fields, String json, String sent) throws IOException {
        assertThat(source(Map.of("metadata.fields", fields), document("k", json)))
                .isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"kafka\":1} | the document has the field `kafka`, which metadata.fields would add",
                "{\"a\":{},\"kafka\":null} | has the field `kafka`",
                "{\"kafka.topic\":1} | has the field `kafka`",
                "{\"\\u006bafk\\u0061\":1} | has the field `kafka`",
                "[1] | not a JSON object",
                "null | not a JSON object",
                "{} {} | at byte 3: expected the end of the value",
                "{,} | at byte 1",
                "{ | at byte 1, where it ends: expected a name"
            })
    void refusesWhatItCannotAddTo(String json, String reason) {
        BulkBody body = body(Map.of("metadata.fields", "offset"));
        Document document = document("k", json);
        assertThatThrownBy(() -> body.add(document))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reason);
        assertThat(body.length()).isZero();
    }

    @Test
    void addsKeysAsText() throws IOException {
        Schema schema = SchemaBuilder.struct().field("id", Schema.INT32_SCHEMA).build();
        Map<Object, String> texts = Map.of(
                12L,
                "12",
                true,
                "true",
                "\u20ac\n",
                "\u20ac\\u000a",
                ByteBuffer.wrap(new byte[] {'a'}),
                "a",
                ByteBuffer.wrap(new byte[] {(byte) 0xff}),
                "/w==",
                new Struct(schema).put("id", 5),
                "{\\\"id\\\":5}");
        for (Map.Entry<Object, String> key : texts.entrySet()) {
            assertThat(source(Map.of("metadata.fields", "key"), document(key.getKey(), "{}")))
                    .isEqualTo("{\"kafka\":{\"key\":\"" + key.getValue() + "\"}}");
        }
    }

    @Test
    void refusesAKeyOrHeaderWithoutAForm() {
        Document document = document("a\ud800", "{}");
        assertThatThrownBy(() -> body(Map.of("metadata.fields", "key")).add(document))
                .hasMessage(
                        "the record's key cannot be added to the document: it holds half a surrogate pair, which has"
                                + " no form in UTF-8; see metadata.fields");
        document.record().headers().addDouble("x", Double.NaN);
        assertThatThrownBy(() -> body(Map.of("metadata.fields", "headers")).add(document))
                .hasMessageStartingWith("the record's headers cannot be added to the document: ");
    }

    @Test
    void addsToMergedDocumentsButNotToDeletions() throws IOException {
        BulkBody body = body(Map.of("metadata.fields", "offset", "write.method", "upsert"));
        body.add(document("k", "{\"level\":1}"));
        SinkRecord tombstone = new SinkRecord("tides", 3, null, "k", null, null, 8);
        body.add(Document.delete(
                tombstone, new Progress(new TopicPartition("tides", 3), 1), "tides", "k".getBytes(UTF_8)));
        assertThat(text(body)).isEqualTo("""
                        {"update":{"_index":"tides","_id":"k","retry_on_conflict":3}}
                        {"doc":{"kafka":{"offset":7},"level":1},"doc_as_upsert":true}
                        {"delete":{"_index":"tides","_id":"k"}}
                        """);
    }

    @Test
    void addsToDocumentsOfADataStreamToo() throws IOException {
        Map<String, String> settings = Map.of("metadata.fields", "offset", "write.method", "create");
        BulkBody body = new BulkBody(settings(settings), Documents.index(DestinationType.DATA_STREAM), false);
        body.add(document("k", "{\"a\":1}"));
        body.add(document("k", "{\"@timestamp\" :\tnull ,\"a\":1}"));
        body.add(document("k", "{\"\\u0040timestamp\":5}"));
        assertThat(text(body).lines().filter(line -> !line.startsWith("{\"create")))
                .containsExactly(
                        "{\"@timestamp\":\"1970-01-01T00:00:07Z\",\"kafka\":{\"offset\":7},\"a\":1}",
                        "{\"kafka\":{\"offset\":7},\"@timestamp\" :\t\"1970-01-01T00:00:07Z\" ,\"a\":1}",
                        "{\"kafka\":{\"offset\":7},\"\\u0040timestamp\":5}");
    }

    @Test
    void addsTheEventTimeWhereTheDocumentHasNoTimestamp() throws IOException {
        Map<String, String> settings =
                Map.of("event.time", "${field:$.at}", "event.time.unit", "micros", "metadata.fields", "offset");
        assertThat(source(settings, document("k", "{\"at\":1500000}")))
                .isEqualTo("{\"@timestamp\":\"1970-01-01T00:00:01.500Z\",\"kafka\":{\"offset\":7},\"at\":1500000}");
        assertThat(source(settings, document("k", "{\"at\":1500000,\"@timestamp\":\"2024\"}")))
                .isEqualTo("{\"kafka\":{\"offset\":7},\"at\":1500000,\"@timestamp\":\"2024\"}");
        assertThat(source(settings, document("k", "{}")))
                .isEqualTo("{\"@timestamp\":\"1970-01-01T00:00:07Z\",\"kafka\":{\"offset\":7}}");
    }

    @Test
    void refusesADocumentWithoutAnEventTimeIfTold() {
        BulkBody body = body(Map.of("event.time", "${field:$.at}", "behavior.on.missing.event.time", "fail"));
        assertThatThrownBy(() -> body.add(document("k", "{\"at\":\"soon\"}")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("neither text in ISO 8601 nor a number");
        assertThat(body.length()).isZero();
    }

    /** What is added never depends on a hostile value, and a value that is accepted keeps all its bytes. */
    @Test
    void addsTheSameToHostileValuesOrRefusesThem() throws IOException {
        Map<String, String> settings = Map.of("metadata.fields", "offset,key:n1", "event.time", "${field:$.n0}");
        BulkBody body = body(settings);
        int added = 0;
        for (byte[] value : HostileJson.values(17, HOSTILE).toList()) {
            String shown = new String(value, ISO_8859_1);
            body.clear();
            body.add(document("k", "{}"));
            int before = body.length();
            try {
                body.add(document("k", value));
            } catch (RefusedException e) {
                assertThat(body.length()).isEqualTo(before);
                assertThat(e.getMessage())
                        .as(shown)
                        .containsPattern(
                                "^the value is not (a JSON object|valid JSON)|^the document has the field `n1`");
                boolean isObject =
                        HostileJson.isJson(value) && shown.stripLeading().startsWith("{");
                assertThat(isObject).as(shown).isEqualTo(e.getMessage().contains("`n1`"));
                continue;
            }
            String[] lines = text(body, ISO_8859_1).split("\n", -1);
            assertThat(lines).as(shown).hasSize(5);
            assertThat(HostileJson.isJson(lines[3].getBytes(ISO_8859_1)))
                    .as(shown)
                    .isTrue();
            assertThat(withoutAdded(lines[3]))
                    .as(shown)
                    .isEqualTo(shown.replace('\n', ' ').replace('\r', ' '));
            added++;
        }
        assertThat(added).as("values of both kinds").isBetween(HOSTILE / 10, HOSTILE * 9 / 10);
    }

    private static String withoutAdded(String line) {
        String added = "\"@timestamp\":\"[^\"]+\",\"kafka\":\\{\"offset\":7},\"n1\":\"k\",?";
        return line.replaceFirst("^(\\s*\\{)" + added, "$1");
    }

    /** A record of partition 3 at offset 7, with a timestamp and headers. */
    private static Document document(Object key, String json) {
        return document(key, json.getBytes(UTF_8));
    }

    private static Document document(Object key, byte[] json) {
        ConnectHeaders headers = new ConnectHeaders();
        headers.addString("a", "old").addString("a", "new").add("n", Map.of("b", List.of(1)), null);
        SinkRecord record =
                new SinkRecord("renamed", 3, null, key, null, json, 7, 7_000L, TimestampType.CREATE_TIME, headers);
        return Document.write(
                record, new Progress(new TopicPartition("tides", 3), 1), "tides", "k".getBytes(UTF_8), json);
    }

    private static String source(Map<String, String> settings, Document document) throws IOException {
        BulkBody body = body(settings);
        body.add(document);
        return text(body).split("\n", -1)[1];
    }

    private static BulkBody body(Map<String, String> settings) {
        return new BulkBody(settings(settings), Documents.index(), false);
    }

    private static DocumentSettings settings(Map<String, String> settings) {
        Map<String, String> props = new HashMap<>(settings);
        props.put("external.version", "none");
        return DocumentSettings.from(new AbstractConfig(DocumentSettings.define(new ConfigDef()), props, false));
    }

    private static String text(BulkBody body) throws IOException {
        return text(body, UTF_8);
    }

    private static String text(BulkBody body, Charset charset) throws IOException {
        return new String(body.data().bytes().bytes(), charset);
    }
}
