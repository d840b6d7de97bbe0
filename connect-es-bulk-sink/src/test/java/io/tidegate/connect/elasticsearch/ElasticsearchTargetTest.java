package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ElasticsearchTargetTest {
    private static final Progress PROGRESS = new Progress(new TopicPartition("tides", 0), 1);

    private final ElasticsearchTargetType type = new ElasticsearchTargetType();

    @Test
    void tasksWithTheSameServerAndUserShareOneClient() {
        try (Target first = type.open(props("a", "index.name", "one"));
                Target second = type.open(props("a", "index.name", "two"))) {
            assertThat(ElasticsearchTarget.CLIENTS.openCount()).isEqualTo(1);
            try (Target other = type.open(props("b", "index.name", "one"))) {
                assertThat(ElasticsearchTarget.CLIENTS.openCount()).isEqualTo(2);
                assertThat(other.description()).isEqualTo("Elasticsearch at http://localhost:1");
            }
            first.close();
            first.close();
            assertThat(ElasticsearchTarget.CLIENTS.openCount()).isEqualTo(1);
            assertThat(second.lastWriteWins()).isTrue();
            assertThat(second.separatesKeys()).isFalse();
        }
        assertThat(ElasticsearchTarget.CLIENTS.openCount()).isZero();
    }

    /** A pipeline may drop the last document of an id, or send it elsewhere; another routing is another shard. */
    @ParameterizedTest
    @CsvSource({"pipeline, p", "routing, ${header:tenant}"})
    void leavesNoDocumentOutWhereTheLastOneNeedNotReplaceIt(String setting, String value) {
        Map<String, String> props = props("a", setting, value);
        try (Target versioned = type.open(props)) {
            assertThat(versioned.lastWriteWins()).isFalse();
            assertThat(versioned.separatesKeys()).isFalse();
        }
        props.put("external.version", "none");
        try (Target unversioned = type.open(props)) {
            assertThat(unversioned.lastWriteWins()).isFalse();
            assertThat(unversioned.separatesKeys()).isTrue();
        }
    }

    @Test
    void mapsRecordsToIndexAndId() {
        try (Target target = type.open(props("a", "behavior.on.null.values", "delete"))) {
            Document document = target.mapper()
                    .map(Documents.record("k", "{}", 7), PROGRESS)
                    .orElseThrow();
            assertThat(document.destination()).isEqualTo("tides");
            assertThat(new String(document.key(), UTF_8)).isEqualTo("k");
            assertThat(target.mapper()
                            .map(Documents.record("k", null, 8), PROGRESS)
                            .orElseThrow()
                            .isDelete())
                    .isTrue();
        }
    }

    /** A tombstone has no field, and need not have the headers. It then deletes nothing if they say where the document is. */
    @ParameterizedTest
    @CsvSource({
        "event.time, ${field:$.t}, true",
        "topic.index.map, 'levels:${field:$.region}', true",
        "topic.index.map, 'tides:${field:$.region}', false",
        "topic.index.map, 'tides:${header:region}', false",
        "routing, ${header:region}, false",
        "document.id, ${header:id}, false",
        "document.id, ${header:h}-${key}, true",
        "document.id, ${key}-${timestamp:yyyy}, false",
        "index.name, 'tides-${timestamp:yyyy}', false"
    })
    void aTombstoneDeletesIfItNeedsNoFieldAndNoHeader(String setting, String value, boolean deletes) {
        Map<String, String> props = props("a", "value.envelope", "debezium");
        props.put("topics", "tides,levels");
        props.put("behavior.on.null.values", "delete");
        props.put("external.version", "none");
        props.put("event.time", "${field:$.created}");
        props.put("behavior.on.missing.event.time", "fail");
        props.put(setting, value);
        SinkRecord tombstone = Documents.record("k", null, 8);
        tombstone.headers().addString("h", "x");
        try (Target target = type.open(props)) {
            Optional<Document> deletion = target.mapper().map(tombstone, PROGRESS);
            assertThat(deletion.isPresent()).isEqualTo(deletes);
        }
    }

    /** The older document would stay where it is, and nothing would report it. */
    @ParameterizedTest
    @CsvSource({
        "index.name, 'a-${field:$.region}', true",
        "routing, ${field:$.region}, true",
        "document.id, ${field:$.region}, true",
        "index.name, 'a-${field:$.id}', false",
        "index.name, 'a-${timestamp:yyyy}', false",
        "metadata.fields, key, false"
    })
    void refusesAnUpdateThatMovesADocument(String setting, String value, boolean moves) {
        Map<String, String> props = props("a", "value.envelope", "debezium");
        props.put("event.time", "${field:$.region}");
        props.put(setting, value);
        SinkRecord update = update("{\"id\":1,\"region\":\"2024-01-01\"}", "{\"id\":1,\"region\":\"2025-01-01\"}");
        try (Target target = type.open(props)) {
            if (moves) {
                assertThatThrownBy(() -> target.mapper().map(update, PROGRESS))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("a field that " + setting + " reads")
                        .hasMessageNotContaining("2025");
            } else {
                assertThat(target.mapper().map(update, PROGRESS)).isPresent();
            }
            for (String before : List.of("null", "{\"region\":\"2025-01-01\",\"id\":1}")) {
                assertThat(target.mapper().map(update(before, "{\"id\":1,\"region\":\"2025-01-01\"}"), PROGRESS))
                        .as("nothing shows a move: " + before)
                        .isPresent();
            }
        }
        props.put("behavior.on.missing.event.time", "fail");
        try (Target target = type.open(props)) {
            SinkRecord partial = update("{\"n\":1}", "{\"id\":1,\"region\":\"2025-01-01\"}");
            assertThat(target.mapper().map(partial, PROGRESS)).isPresent();
        }
        props.put("document.id", "none");
        props.put("external.version", "none");
        try (Target appending = type.open(props)) {
            assertThat(appending.mapper().map(update, PROGRESS)).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "document.id, ${field:$.id}, false",
        "document.id, coordinates, false",
        "document.id, none, false",
        "document.id, auto, true",
        "document.id, ${key}, true",
        "routing, ${key}, true",
        "event.time, ${key}, true",
        "index.name, 'a-${key}', true",
        "pipeline, ${key}, true",
        "metadata.fields, key, true"
    })
    void refusesAKeyWithoutATextOnlyIfItIsRead(String setting, String value, boolean isRead) {
        Map<String, String> props = props("a", "value.envelope", "debezium");
        props.put("document.id", "${field:$.id}");
        props.put(setting, value);
        for (String key : List.of("{\"id\":null}", "{\"at\":{}}", "{\"id\"")) {
            String event = "{\"after\":{\"id\":1},\"source\":{},\"op\":\"c\"}";
            SinkRecord record = new SinkRecord("tides", 0, null, key.getBytes(UTF_8), null, event, 7);
            try (Target target = type.open(props)) {
                if (isRead) {
                    assertThatThrownBy(() -> target.mapper().map(record, PROGRESS))
                            .isInstanceOf(RefusedException.class);
                } else {
                    assertThat(target.mapper().map(record, PROGRESS)).isPresent();
                }
            }
        }
    }

    /** A created document would lack the column for ever, and nothing would report it. */
    @Test
    void createsNoDocumentWithoutAColumnThatAnUpdateDidNotChange() {
        Map<String, String> props = props("a", "value.envelope", "debezium");
        props.put("debezium.unavailable.values", "keep");
        props.put("debezium.json.columns", "");
        props.put("write.method", "upsert");
        AbstractConfig config = new AbstractConfig(type.config(), props, false);
        BulkBody body = new BulkBody(DocumentSettings.from(config), IndexSettings.from(config), false);
        try (Target target = type.open(props)) {
            for (String large : List.of("b", "__debezium_unavailable_value")) {
                body.clear();
                body.add(target.mapper()
                        .map(update("null", "{\"id\":1,\"large\":\"" + large + "\"}"), PROGRESS)
                        .orElseThrow());
                assertThat(body.text().contains("doc_as_upsert")).isEqualTo(large.equals("b"));
                assertThat(body.text()).startsWith("{\"update\"");
            }
        }
    }

    private static SinkRecord update(String before, String after) {
        return new SinkRecord(
                "tides",
                0,
                null,
                "{\"id\":1}",
                null,
                "{\"before\":" + before + ",\"after\":" + after + ",\"source\":{},\"op\":\"u\"}",
                7,
                1_700_000_000_000L,
                TimestampType.CREATE_TIME);
    }

    @Test
    void refusesATopicThatCannotNameAnIndex() {
        try (Target target = type.open(props("a", "write.method", "create"))) {
            assertThat(target.lastWriteWins()).isFalse();
            assertThat(target.separatesKeys()).isTrue();
            SinkRecord record = new SinkRecord("_tides", 0, null, "k", null, "{}", 0);
            assertThatThrownBy(() -> target.mapper().map(record, PROGRESS))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(
                            "the record of topic _tides has no destination: the name of an index must not start with")
                    .hasMessageContaining("index.name");
        }
    }

    @Test
    void namesIndexesInLowerCaseByMapOrTemplate() {
        Map<String, String> props = props("a", "index.name", "Kafka-${topic}-${field:$.station.id}");
        props.put("topic.index.map", "B:Two");
        try (Target target = type.open(props)) {
            SinkRecord templated = new SinkRecord("Tides.X", 0, null, "k", null, "{\"station\":{\"id\":\"NYC\"}}", 0);
            SinkRecord mapped = new SinkRecord("B", 0, null, "k", null, "{}", 0);
            assertThat(target.mapper().map(templated, PROGRESS))
                    .map(Document::destination)
                    .contains("kafka-tides.x-nyc");
            assertThat(target.mapper().map(mapped, PROGRESS))
                    .map(Document::destination)
                    .contains("two");
        }
    }

    @Test
    void datesIndexesByTheEventTime() {
        Map<String, String> props = props("a", "index.name", "tides-${timestamp:yyyy.MM}");
        props.put("event.time", "${field:$.at}");
        try (Target target = type.open(props)) {
            for (Object value : List.of("{\"at\":\"2024-05-31T23:59:59-01:00\"}", Map.of("at", 1717200000000L))) {
                assertThat(target.mapper().map(Documents.record("k", value, 0), PROGRESS))
                        .map(Document::destination)
                        .contains("tides-2024.06");
            }
            assertThatThrownBy(() -> target.mapper().map(Documents.record("k", "{}", 0), PROGRESS))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("the record has no timestamp");
        }
    }

    private static Map<String, String> props(String user, String key, String value) {
        Map<String, String> props = new HashMap<>();
        props.put("connection.url", "http://localhost:1");
        props.put("connection.username", user);
        props.put("connection.password", "secret");
        props.put(key, value);
        return props;
    }
}
