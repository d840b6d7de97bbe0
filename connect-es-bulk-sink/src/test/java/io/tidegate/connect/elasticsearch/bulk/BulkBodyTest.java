package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BulkBodyTest {
    private static final DocumentSettings INDEX = settings("external.version", "none");
    private static final DocumentSettings VERSIONED = settings();
    private static final DocumentSettings CREATE = settings("key.ignore", "true", "write.method", "create");

    @Test
    void writesAnActionAndTheRecordsOwnBytesForEachDocument() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        body.add(Documents.of("tides", "k1", 7, "{\"level\": 1.50}"));
        body.add(Documents.delete("tides", "k2", 8));
        body.add(Documents.of("surges", "k3", 9, "{\n}"));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k1"}}
                        {"level": 1.50}
                        {"delete":{"_index":"tides","_id":"k2"}}
                        {"index":{"_index":"surges","_id":"k3"}}
                        { }
                        """);
        assertThat(body.data().contentType()).isEqualTo("application/x-ndjson");
    }

    @Test
    void takesTheOffsetForTheVersionOfWritesAndDeletions() throws IOException {
        BulkBody body = new BulkBody(VERSIONED, Documents.index(), false);
        body.add(Documents.of("tides", "k", 0, "{}"));
        body.add(Documents.delete("tides", "k", 1234567890123L));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k","version_type":"external","version":0}}
                        {}
                        {"delete":{"_index":"tides","_id":"k","version_type":"external","version":1234567890123}}
                        """);
    }

    @Test
    void letsEqualVersionsReplaceIfTold() throws IOException {
        BulkBody body = new BulkBody(settings("external.version.type", "external_gte"), Documents.index(), false);
        body.add(Documents.of("tides", "k", 5, "{}"));
        assertThat(text(body)).contains("\"version_type\":\"external_gte\",\"version\":5");
    }

    @Test
    void createsWhereOnlyTheFirstWriteCounts() throws IOException {
        BulkBody body = new BulkBody(CREATE, Documents.index(), false);
        body.add(Documents.of("tides", "tides+0+3", 3, "{}"));
        assertThat(text(body)).isEqualTo("{\"create\":{\"_index\":\"tides\",\"_id\":\"tides+0+3\"}}\n{}\n");
    }

    @Test
    void escapesIdsSoThatTheyStayOneString() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        body.add(Documents.of("tides", "a\"}}\n{\"delete\\\u0001\u00e9\u20ac", 0, "{}"));
        assertThat(text(body))
                .isEqualTo("{\"index\":{\"_index\":\"tides\",\"_id\":"
                        + "\"a\\\"}}\\u000a{\\\"delete\\\\\\u0001\u00e9\u20ac\"}}\n{}\n");
    }

    @Test
    void isAsBeforeAfterARefusedDocument() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        body.add(Documents.of("tides", "1", 0, "{\"a\":1}"));
        assertThatThrownBy(() -> body.add(
                        Documents.of("tides", "2", 1, "{\"a\":1}\n{\"delete\":{\"_index\":\"tides\",\"_id\":\"1\"}}")))
                .isInstanceOf(RefusedException.class);
        body.add(Documents.of("tides", "3", 2, "{\"a\":3}"));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"1"}}
                        {"a":1}
                        {"index":{"_index":"tides","_id":"3"}}
                        {"a":3}
                        """);
    }

    @Test
    void leavesTheRecordsBytesAlone() {
        byte[] json = "{\n}".getBytes(UTF_8);
        new BulkBody(INDEX, Documents.index(), false).add(Documents.of("tides", "1", 0, json));
        assertThat(json).isEqualTo("{\n}".getBytes(UTF_8));
    }

    @Test
    void startsOverInTheSameBuffer() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        body.add(Documents.of("tides", "1", 0, "{\"a\":1}"));
        byte[] first = body.data().bytes().array();
        body.clear();
        body.add(Documents.of("tides", "2", 0, "{}"));
        assertThat(text(body)).isEqualTo("{\"index\":{\"_index\":\"tides\",\"_id\":\"2\"}}\n{}\n");
        assertThat(body.data().bytes().array()).isSameAs(first);
    }

    @Test
    void startsOverInAnotherBufferWhenAbandoned() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        body.add(Documents.of("tides", "1", 0, "{}"));
        byte[] first = body.data().bytes().array();
        body.abandon();
        assertThat(body.data().bytes().array()).isNotSameAs(first);
        assertThat(body.data().bytes().length()).isZero();
    }

    @Test
    void growsWithItsDocuments() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), false);
        String large = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
        body.add(Documents.of("tides", "1", 0, large));
        assertThat(text(body)).endsWith(large + "\n");
    }

    @Test
    void compressesWhenAsked() throws IOException {
        BulkBody body = new BulkBody(INDEX, Documents.index(), true);
        for (int round = 0; round < 2; round++) {
            body.clear();
            Documents.numbered("tides", 1000).forEach(body::add);
            assertThat(body.data().bytes().length()).isLessThan(10_000);
            try (InputStream plain = new GZIPInputStream(
                    new ByteArrayInputStream(body.data().bytes().bytes()))) {
                assertThat(new String(plain.readAllBytes(), UTF_8))
                        .hasLineCount(2000)
                        .endsWith("{\"level\":999}\n");
            }
            body.clear();
        }
    }

    @Test
    void givesUpBuffersThatHaveLongBeenFarTooLarge() {
        BulkBody body = new BulkBody(INDEX, Documents.index(), true);
        byte[] noise = new byte[4 << 20];
        new Random(1).nextBytes(noise);
        body.add(Documents.of("tides", "1", 0, "{\"a\":\"" + Base64.getEncoder().encodeToString(noise) + "\"}"));
        assertThat(body.data().bytes().length()).isGreaterThan(2 << 20);
        int large = body.bytesHeld();
        for (int i = 0; i < 40; i++) {
            body.clear();
            body.add(Documents.of("tides", "1", 0, "{}"));
            assertThat(body.data().bytes().length()).isPositive();
        }
        assertThat(large).isGreaterThan(8 << 20);
        assertThat(body.bytesHeld()).isLessThan(1 << 20);
    }

    @Test
    void refusesARoutingWithoutAFormInUtf8() {
        BulkBody body = new BulkBody(settings("routing", "${key}"), Documents.index(), false);
        Document document = Document.write(
                Documents.record("a\ud800", "{}", 0),
                new Progress(new TopicPartition("tides", 0), 1),
                "tides",
                Document.NO_KEY,
                "{}".getBytes(UTF_8));
        assertThatThrownBy(() -> body.add(document)).hasMessageContaining("the routing holds half a surrogate pair");
    }

    @Test
    void mergesIntoDocuments() throws IOException {
        BulkBody body = new BulkBody(settings("write.method", "upsert"), Documents.index(), false);
        body.add(Documents.of("tides", "k", 0, "{\"level\":1}"));
        body.add(Documents.delete("tides", "k", 1));
        assertThat(text(body)).isEqualTo("""
                        {"update":{"_index":"tides","_id":"k","retry_on_conflict":3}}
                        {"doc":{"level":1},"doc_as_upsert":true}
                        {"delete":{"_index":"tides","_id":"k"}}
                        """);
        body = new BulkBody(settings("write.method", "update"), Documents.index(), false);
        body.add(Documents.of("tides", "k", 0, "{\"level\":1}"));
        assertThat(text(body)).endsWith("{\"doc\":{\"level\":1}}\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1} | {\"@timestamp\":\"1970-01-01T00:00:07Z\",\"a\":1}",
                "` { } ` | ` {\"@timestamp\":\"1970-01-01T00:00:07Z\" } `",
                "{\"a\":{\"@timestamp\":1}} | {\"@timestamp\":\"1970-01-01T00:00:07Z\",\"a\":{\"@timestamp\":1}}",
                "{\"a\":1, \"@timestamp\":5} | {\"a\":1, \"@timestamp\":5}",
                "{\"@timestamp\":null} | {\"@timestamp\":\"1970-01-01T00:00:07Z\"}",
                "{\"a\":[{}],\"@timestamp\" : null , \"b\":2} | {\"a\":[{}],\"@timestamp\" : \"1970-01-01T00:00:07Z\" , \"b\":2}"
            })
    void givesDocumentsOfADataStreamATimestamp(String json, String sent) throws IOException {
        BulkBody body = new BulkBody(CREATE, Documents.index(DestinationType.DATA_STREAM), false);
        body.add(Documents.timed("tides", 7_000L, json));
        assertThat(text(body).lines().toList().get(1).stripTrailing()).isEqualTo(sent.stripTrailing());
    }

    @Test
    void refusesADocumentOfADataStreamWithoutAnyTimestamp() {
        BulkBody body = new BulkBody(CREATE, Documents.index(DestinationType.DATA_STREAM), false);
        assertThatThrownBy(() -> body.add(Documents.of("tides", "k", 0, "{}")))
                .hasMessage("the document needs @timestamp, and neither it nor its record has a timestamp");
        assertThatThrownBy(() -> body.add(Documents.of("tides", "k", 0, "[]")))
                .hasMessageContaining("not a JSON object");
        assertThat(body.data().bytes().length()).isZero();
    }

    @Test
    void takesVersionAndRoutingFromTheRecord() throws IOException {
        BulkBody body = new BulkBody(
                settings("external.version", "${field:$.v}", "routing", "${field:$.s}"), Documents.index(), false);
        body.add(Documents.of("tides", "k", 0, "{\"v\":12,\"s\":\"a\\\"b\"}"));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k","version_type":"external","version":12,"routing":"a\\"b"}}
                        {"v":12,"s":"a\\"b"}
                        """);
    }

    @Test
    void takesVersionAndRoutingOfValuesThatWereConverted() throws IOException {
        String json = "{\"v\":12,\"s\":\"a\"}";
        for (Object converted : List.of(json, Map.of("v", 12, "s", "a"))) {
            BulkBody body = new BulkBody(
                    settings("external.version", "${field:$.v}", "routing", "${field:$.s}"), Documents.index(), false);
            body.add(Document.write(
                    Documents.record("k", converted, 0),
                    new Progress(new TopicPartition("tides", 0), 1),
                    "tides",
                    "k".getBytes(UTF_8),
                    json.getBytes(UTF_8)));
            assertThat(text(body)).contains("\"version\":12,\"routing\":\"a\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'v':-1,'s':1} | the document's version is not a whole number from 0 to 2^63 - 1; see external.version",
                "{'v':1.5,'s':1} | is not a whole number",
                "{'v':99999999999999999999,'s':1} | is not a whole number",
                "{'s':1} | the record gives nothing for external.version=${field:$.v}: the field $.v is missing",
                "{'v':1} | the record gives nothing for routing=${field:$.s}: the field $.s is missing"
            },
            quoteCharacter = '`')
    void refusesARecordWithoutVersionOrRouting(String json, String reason) {
        BulkBody body = new BulkBody(
                settings("external.version", "${field:$.v}", "routing", "${field:$.s}"), Documents.index(), false);
        Document document = Documents.of("tides", "k", 0, json.replace('\'', '"'));
        assertThatThrownBy(() -> body.add(document))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reason);
        assertThat(body.data().bytes().length()).isZero();
    }

    @Test
    void doesWhatEachRecordSays() throws IOException {
        BulkBody body = new BulkBody(settings("write.method", "${field:$.op}"), Documents.index(), false);
        List.of("index", "Insert", "create", "update", "upsert", "delete")
                .forEach(op -> body.add(Documents.of("tides", "k", 0, "{\"op\":\"" + op + "\"}")));
        body.add(Documents.delete("tides", "k", 1));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k"}}
                        {"op":"index"}
                        {"index":{"_index":"tides","_id":"k"}}
                        {"op":"Insert"}
                        {"create":{"_index":"tides","_id":"k"}}
                        {"op":"create"}
                        {"update":{"_index":"tides","_id":"k","retry_on_conflict":3}}
                        {"doc":{"op":"update"}}
                        {"update":{"_index":"tides","_id":"k","retry_on_conflict":3}}
                        {"doc":{"op":"upsert"},"doc_as_upsert":true}
                        {"delete":{"_index":"tides","_id":"k"}}
                        {"delete":{"_index":"tides","_id":"k"}}
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key  | none   | {}            | the record gives nothing for write.method=${field:$.op}: the field $.op is missing",
                "key  | none   | {'op':'drop'} | is none of index, create, update, upsert and delete; see write.method",
                "none | none   | {'op':'delete'} | is delete, which needs an id that records share; see document.id",
                "coordinates | none | {'op':'upsert'} | is upsert, which needs an id that records share",
                "key  | offset | {'op':'create'} | allows no external version with write method create",
                "key  | offset | {'op':'update'} | allows no external version with write method update"
            },
            quoteCharacter = '`')
    void refusesARecordWhoseWriteMethodDoesNotFit(String id, String version, String json, String reason) {
        BulkBody body = new BulkBody(
                settings("write.method", "${field:$.op}", "document.id", id, "external.version", version),
                Documents.index(),
                false);
        Document document = Documents.of("tides", "k", 0, json.replace('\'', '"'));
        assertThatThrownBy(() -> body.add(document))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("drop");
        assertThat(body.length()).isZero();
    }

    @Test
    void takesPipelinesFromRecords() throws IOException {
        BulkBody body = new BulkBody(
                settings("write.method", "${field:$.op}"), Documents.index("pipeline", "p-${field:$.p}"), false);
        body.add(Documents.of("tides", "k", 0, "{\"op\":\"create\",\"p\":\"\\\"\"}"));
        body.add(Documents.of("tides", "k", 1, "{\"op\":\"delete\"}"));
        assertThat(text(body)).isEqualTo("""
                        {"create":{"_index":"tides","_id":"k","pipeline":"p-\\""}}
                        {"op":"create","p":"\\""}
                        {"delete":{"_index":"tides","_id":"k"}}
                        """);
        assertThatThrownBy(() -> body.add(Documents.of("tides", "k", 2, "{\"op\":\"index\"}")))
                .hasMessageContaining("the record gives nothing for pipeline=p-${field:$.p}: the field $.p is missing");
        assertThatThrownBy(() -> body.add(Documents.of("tides", "k", 3, "{\"op\":\"upsert\",\"p\":1}")))
                .hasMessageContaining("Elasticsearch ignores a pipeline with write method upsert");
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "upsert"})
    void refusesToBypassAPipeline(String method) {
        BulkBody body =
                new BulkBody(settings("write.method", "${field:$.op}"), Documents.index("pipeline", "redact"), false);
        Document document = Documents.of("tides", "k", 0, "{\"op\":\"" + method + "\"}");
        assertThatThrownBy(() -> body.add(document))
                .hasMessage("Elasticsearch ignores a pipeline with write method " + method
                        + ", so the document would be stored without it; see pipeline");
        assertThat(body.length()).isZero();
        body.add(Documents.of("tides", "k", 0, "{\"op\":\"index\"}"));
        assertThat(body.length()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "upsert", "delete"})
    void refusesToLookForADocumentInTheIndexOfAnotherTime(String method) {
        DocumentSettings settings = settings("write.method", "${field:$.op}");
        BulkBody body = new BulkBody(settings, Documents.index("index.name", "a-${timestamp:yyyy}"), false);
        Document document = Documents.of("a-2026", "k", 0, "{\"op\":\"" + method + "\",\"created\":1}");
        assertThatThrownBy(() -> body.add(document))
                .hasMessage("the record's write method is " + method + ", and its own timestamp need not name the index"
                        + " of the document; see index.name, event.time and behavior.on.missing.event.time");
        new BulkBody(settings, Documents.index("topic.index.map", "logs:logs-${timestamp:yyyy}"), false)
                .add(document); // of another topic
        BulkBody timed = new BulkBody(
                settings("write.method", "${field:$.op}", "event.time", "${field:$.created}"),
                Documents.index("index.name", "a-${timestamp:yyyy}"),
                false);
        assertThatThrownBy(() -> timed.add(document))
                .hasMessageContaining("its own timestamp need not name the index of the document");
        new BulkBody(
                        settings(
                                "write.method",
                                "${field:$.op}",
                                "event.time",
                                "${field:$.created}",
                                "behavior.on.missing.event.time",
                                "fail"),
                        Documents.index("index.name", "a-${timestamp:yyyy}"),
                        false)
                .add(document);
    }

    private static DocumentSettings settings(String... settings) {
        Map<String, String> props = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        return DocumentSettings.from(new AbstractConfig(DocumentSettings.define(new ConfigDef()), props, false));
    }

    private static String text(BulkBody body) throws IOException {
        return new String(body.data().bytes().bytes(), UTF_8);
    }
}
