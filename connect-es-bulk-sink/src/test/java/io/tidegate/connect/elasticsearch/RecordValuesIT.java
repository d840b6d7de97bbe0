package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import io.tidegate.connect.testkit.scenarios.HostileJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Records' values on a real node, from the mapping of a record to its document. */
final class RecordValuesIT {
    private static final Elasticsearch NODE = new KeptElasticsearch();
    private static final Progress PROGRESS = new Progress(new TopicPartition("tides", 3), 1);
    private static final long NOON_MS = 1_717_243_200_000L; // 2024-06-01T12:00:00Z
    private static final int HOSTILE = Integer.getInteger("hostile.values", 1_200);

    private final List<String> refused = new ArrayList<>();

    @BeforeAll
    static void start() {
        NODE.start();
    }

    @AfterAll
    static void stop() {
        NODE.close();
    }

    @Test
    void metadataIsInDocumentsOfEveryForm(TestInfo test) throws WriteException {
        String index = indexOf(test);
        Schema schema = SchemaBuilder.struct().field("n", Schema.INT32_SCHEMA).build();
        write(
                List.of(
                        record("a", "{\"n\":0}".getBytes(UTF_8), 0),
                        record("b", "{\"n\":1}", 1),
                        record("c", Map.of("n", 2), 2),
                        new SinkRecord("tides", 3, null, "d", schema, new Struct(schema).put("n", 3), 3)),
                "index.name",
                index,
                "metadata.fields",
                "topic,partition,offset,timestamp,timestamp_type,key,headers");

        for (int n = 0; n < 4; n++) {
            JsonNode source = source(index, String.valueOf((char) ('a' + n)));
            assertThat(source.path("n").asInt()).isEqualTo(n);
            assertThat(source.at("/kafka/topic").asText()).isEqualTo("tides");
            assertThat(source.at("/kafka/partition").asInt()).isEqualTo(3);
            assertThat(source.at("/kafka/offset").asInt()).isEqualTo(n);
        }
        assertThat(source(index, "a").path("kafka"))
                .hasToString("{\"topic\":\"tides\",\"partition\":3,\"offset\":0,\"timestamp\":\"2024-06-01T12:00:00Z\","
                        + "\"timestamp_type\":\"CreateTime\",\"key\":\"a\",\"headers\":{\"h\":\"x\"}}");
        assertThat(NODE.request("GET", "/" + index + "/_mapping", "")
                        .at("/" + index + "/mappings/properties/kafka/properties/timestamp/type")
                        .asText())
                .isEqualTo("date");
    }

    @Test
    void metadataIsOfTheLastRecordThatWasMerged(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] settings = {
            "index.name",
            index,
            "metadata.fields",
            "offset:at",
            "write.method",
            "upsert",
            "behavior.on.null.values",
            "delete"
        };
        write(List.of(record("a", "{\"x\":1}", 5), record("a", "{\"y\":2}", 6), record("b", "{}", 7)), settings);
        write(List.of(record("b", null, 8)), settings);

        assertThat(source(index, "a")).hasToString("{\"at\":6,\"x\":1,\"y\":2}");
        assertThat(count(index)).isEqualTo(1);
    }

    @Test
    void eventTimesDateIndexesAndDocuments(TestInfo test, @TempDir Path folder) throws Exception {
        String index = indexOf(test);
        write(
                List.of(
                        record("a", "{\"at\":\"2023-01-31T23:30:00-01:00\"}", 0),
                        record("b", Map.of("at", 1_675_209_600.5), 1),
                        record("c", "{\"at\":\"soon\"}", 2)),
                "index.name",
                index + "-${timestamp:yyyy.MM}",
                "event.time",
                "${field:$.at}",
                "event.time.unit",
                "seconds",
                "index.definition.file",
                Files.writeString(
                                folder.resolve("index.json"),
                                "{\"mappings\":{\"properties\":{\"at\":{\"type\":\"object\",\"enabled\":false}}}}")
                        .toString());

        assertThat(source(index + "-2023.02", "a").path("@timestamp").asText()).isEqualTo("2023-02-01T00:30:00Z");
        assertThat(source(index + "-2023.02", "b").path("@timestamp").asText()).isEqualTo("2023-02-01T00:00:00.500Z");
        assertThat(source(index + "-2024.06", "c").path("@timestamp").asText()).isEqualTo("2024-06-01T12:00:00Z");
    }

    @Test
    void aDataStreamOfLogsHasEventTimesAndMetadata() throws WriteException {
        NODE.request(
                "PUT",
                "/_index_template/logs-values",
                "{\"index_patterns\":[\"logs-values-*\"],\"data_stream\":{},\"priority\":500}");
        String[] settings = {
            "index.name", "logs-values-default",
            "destination.type", "data_stream",
            "write.method", "create",
            "key.ignore", "true",
            "event.time", "${field:$.time}",
            "behavior.on.missing.event.time", "fail",
            "metadata.fields", "partition,offset"
        };
        for (int delivery = 0; delivery < 2; delivery++) {
            write(List.of(record("a", "{\"time\":\"2024-02-03T04:05:06Z\"}", 0), record("a", "{}", 1)), settings);
        }

        NODE.request("POST", "/logs-values-default/_refresh", "");
        JsonNode hits = NODE.request("GET", "/logs-values-default/_search", "").at("/hits/hits");
        assertThat(hits).hasSize(1);
        assertThat(hits.at("/0/_source"))
                .hasToString("{\"@timestamp\":\"2024-02-03T04:05:06Z\",\"kafka\":{\"partition\":3,\"offset\":0},"
                        + "\"time\":\"2024-02-03T04:05:06Z\"}");
        assertThat(refused).hasSize(2).allSatisfy(reason -> assertThat(reason).contains("event.time"));
    }

    @Test
    void equalVersionsReplaceWithExternalGteAndLowerOnesDoNot(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] settings = {
            "index.name", index,
            "external.version", "${field:$.v}",
            "external.version.type", "external_gte",
            "behavior.on.version.conflicts", "dlq"
        };
        write(List.of(record("a", "{\"v\":5,\"n\":1}", 0), record("a", "{\"v\":5,\"n\":2}", 1)), settings);
        assertThat(source(index, "a")).hasToString("{\"v\":5,\"n\":2}");

        write(List.of(record("a", "{\"v\":4,\"n\":3}", 2)), settings);
        assertThat(source(index, "a")).hasToString("{\"v\":5,\"n\":2}");
        assertThat(refused).singleElement().satisfies(reason -> assertThat(reason)
                .contains("the document is older (version 4) than the one in the index (version 5)"));
    }

    @Test
    void recordsSayWhatHappensAndThroughWhichPipeline(TestInfo test) throws WriteException {
        String index = indexOf(test);
        NODE.request(
                "PUT", "/_ingest/pipeline/mark", "{\"processors\":[{\"set\":{\"field\":\"marked\",\"value\":true}}]}");
        String[] settings = {"index.name", index, "write.method", "${header:op}", "pipeline", "${header:pipeline}"};
        write(
                List.of(
                        told("a", 0, "create", "mark"),
                        told("a", 1, "create", "mark"),
                        told("b", 2, "index", "_none"),
                        told("c", 3, "index", "mark"),
                        told("c", 4, "delete", "mark"),
                        told("d", 5, "index", "nowhere"),
                        told("e", 6, "drop", "mark"),
                        told("f", 7, "upsert", "mark")),
                settings);
        write(
                List.of(
                        told("b", 8, "update", ""),
                        told("g", 9, "upsert", ""),
                        told("h", 10, "update", ""),
                        told("i", 11, "delete", "")),
                "index.name",
                index,
                "write.method",
                "${header:op}");

        assertThat(source(index, "a")).hasSize(2);
        assertThat(source(index, "a").path("n0").isInt()).isTrue();
        assertThat(source(index, "a").path("marked").asBoolean()).isTrue();
        assertThat(source(index, "b")).hasToString("{\"n2\":2,\"n8\":8}");
        assertThat(source(index, "g")).hasToString("{\"n9\":9}");
        assertThat(count(index)).isEqualTo(3);
        assertThat(refused)
                .satisfiesExactlyInAnyOrder(
                        reason -> assertThat(reason).contains("pipeline with id [nowhere] does not exist"),
                        reason -> assertThat(reason).contains("is none of index, create, update, upsert and delete"),
                        reason -> assertThat(reason).contains("Elasticsearch ignores a pipeline"),
                        reason -> assertThat(reason).contains("document_missing_exception"));
    }

    @Test
    void redrivenRecordsHaveTheirOwnCoordinates(TestInfo test) throws WriteException {
        String index = indexOf(test);
        for (long run = 0; run < 2; run++) {
            write(
                    List.of(letter("a", "{\"n\":1}", 40, run * 2), letter("a", "{\"n\":2}", 41, run * 2 + 1)),
                    "index.name",
                    index,
                    "redrive",
                    "true",
                    "key.ignore",
                    "true",
                    "metadata.fields",
                    "topic,partition,offset,headers");
        }

        assertThat(count(index)).isEqualTo(2);
        assertThat(source(index, "levels+5+40"))
                .hasToString(
                        "{\"kafka\":{\"topic\":\"levels\",\"partition\":5,\"offset\":40,\"headers\":{\"h\":\"x\"}},"
                                + "\"n\":1}");
    }

    @Test
    void theOriginalOffsetIsTheVersionOfARedrivenRecord(TestInfo test) throws WriteException {
        String index = indexOf(test);
        write(List.of(record("a", "{\"n\":50}", 50), record("b", "{\"n\":10}", 10)), "index.name", index);

        write(
                List.of(
                        letter("a", "{\"n\":40}", 40, 100),
                        letter("b", "{\"n\":30}", 30, 101),
                        letter("b", "{\"n\":20}", 20, 102)), // parked later
                "index.name",
                index,
                "redrive",
                "true");

        assertThat(source(index, "a")).hasToString("{\"n\":50}");
        assertThat(source(index, "b")).hasToString("{\"n\":30}");
    }

    /** Two records may have one version, such as a time in seconds: nothing shows which of them is the later one. */
    @Test
    void aRedrivenRecordReplacesNoDocumentOfItsVersion(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] live = {
            "index.name", index, "external.version", "${field:$.v}", "external.version.type", "external_gte"
        };
        write(List.of(record("a", "{\"n\":50,\"v\":7}", 50), record("b", "{\"n\":51,\"v\":7}", 51)), live);
        String[] redrive =
                Stream.concat(Stream.of(live), Stream.of("redrive", "true")).toArray(String[]::new);
        SinkRecord newer = letter("b", "{\"n\":41,\"v\":8}", 41, 1);
        write(List.of(letter("a", "{\"n\":40,\"v\":7}", 40, 0), newer), redrive);
        write(List.of(newer), redrive);

        assertThat(source(index, "a").path("n").asInt()).isEqualTo(50);
        assertThat(source(index, "b").path("n").asInt()).isEqualTo(41);
        assertThat(refused).singleElement().asString().contains("nothing shows which of the two is newer");
    }

    /** A deletion has the version of its row, and so has the row's last change. */
    @Test
    void aRedrivenDeletionOfTheVersionInTheIndexIsRefused(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] live = {
            "index.name", index,
            "value.envelope", "debezium",
            "behavior.on.null.values", "delete",
            "external.version", "${field:$.v}",
            "external.version.type", "external_gte"
        };
        String row = "{\"v\":7}";
        String created = "{\"op\":\"c\",\"before\":null,\"after\":" + row + ",\"source\":{}}";
        String deleted = "{\"op\":\"d\",\"before\":" + row + ",\"after\":null,\"source\":{}}";
        write(List.of(record("a", created, 50)), live);

        write(
                List.of(letter("a", deleted, 51, 0)),
                Stream.concat(Stream.of(live), Stream.of("redrive", "true")).toArray(String[]::new));

        assertThat(count(index)).isEqualTo(1);
        assertThat(refused).hasSize(1);
        write(List.of(record("a", deleted, 51)), live);
        assertThat(count(index)).isZero();
        write(
                List.of(letter("a", deleted, 51, 1)),
                Stream.concat(Stream.of(live), Stream.of("redrive", "true")).toArray(String[]::new));
        assertThat(refused).as("of what is deleted already").hasSize(1);
    }

    /** Elasticsearch answers both in the same words. */
    @Test
    void aDeletionOfTheVersionInTheIndexIsToldFromOneThatWasDeliveredBefore(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] settings = {
            "index.name", index,
            "write.method", "${header:op}",
            "external.version", "${header:v}",
            "behavior.on.version.conflicts", "dlq"
        };
        write(List.of(versioned("a", "index", 7), versioned("b", "index", 7)), settings);
        for (int delivery = 0; delivery < 2; delivery++) {
            write(List.of(versioned("b", "delete", 8)), settings);
        }
        assertThat(count(index)).isEqualTo(1);
        assertThat(refused).isEmpty();

        write(List.of(versioned("a", "delete", 7)), settings);
        assertThat(source(index, "a").path("n7").asInt()).isEqualTo(7);
        assertThat(refused).singleElement().asString().contains("(version 7), which stays", "external_gte");
    }

    private static SinkRecord versioned(String key, String method, int version) {
        SinkRecord record = told(key, version, method, "");
        record.headers().addLong("v", version);
        return record;
    }

    @Test
    void withoutAVersionARedrivenRecordOnlyCreates(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] live = {"index.name", index, "external.version", "none"};
        write(List.of(record("a", "{\"n\":50}", 50)), live);
        for (String method : List.of("index", "upsert")) {
            write(
                    List.of(letter("a", "{\"n\":40}", 40, 0), letter(method, "{\"n\":41}", 41, 1)),
                    "index.name",
                    index,
                    "external.version",
                    "none",
                    "redrive",
                    "true",
                    "write.method",
                    method,
                    "behavior.on.null.values",
                    "delete");
            assertThat(source(index, "a")).hasToString("{\"n\":50}");
            assertThat(source(index, method)).hasToString("{\"n\":41}");
        }
        assertThat(refused).isEmpty();

        write(
                List.of(letter("a", "{\"n\":40}", 40, 0)),
                "index.name",
                index,
                "redrive",
                "true",
                "write.method",
                "update");
        write(
                List.of(letter("a", null, 40, 0)),
                "index.name",
                index,
                "external.version",
                "none",
                "redrive",
                "true",
                "behavior.on.null.values",
                "delete");
        assertThat(refused).hasSize(2).allSatisfy(reason -> assertThat(reason).contains("newer than this record"));
        assertThat(source(index, "a")).hasToString("{\"n\":50}");
    }

    @Test
    void aFixedPipelineIsNotBypassedByARecordsWriteMethod(TestInfo test) throws WriteException {
        String index = indexOf(test);
        NODE.request(
                "PUT",
                "/_ingest/pipeline/redact",
                "{\"processors\":[{\"set\":{\"field\":\"n0\",\"value\":-1}},{\"set\":{\"field\":\"n1\",\"value\":-1}},"
                        + "{\"set\":{\"field\":\"n2\",\"value\":-1}}]}");
        write(
                List.of(
                        told("a", 0, "index", ""),
                        told("a", 1, "update", ""),
                        told("b", 2, "upsert", ""),
                        told("c", 2, "create", "")),
                "index.name",
                index,
                "write.method",
                "${header:op}",
                "pipeline",
                "redact");

        assertThat(source(index, "a").path("n1").asInt()).isEqualTo(-1);
        assertThat(source(index, "c").path("n2").asInt()).isEqualTo(-1);
        assertThat(count(index)).isEqualTo(2);
        assertThat(refused).hasSize(2).allSatisfy(reason -> assertThat(reason)
                .contains("would be stored without it; see pipeline"));
    }

    @Test
    void aTopicThatWasCreatedAgainNeverReplacesTheDocumentsOfTheFirst(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] settings = {"index.name", index, "key.ignore", "true"};
        write(log(0, 30, NOON_MS, "first"), settings);
        write(log(0, 5, NOON_MS, "mapped anew"), settings);
        assertThat(source(index, "tides+3+4").path("log").asText()).isEqualTo("mapped anew");

        for (long time : List.of(NOON_MS + 60_000, NOON_MS - 60_000)) {
            assertThatThrownBy(() -> write(log(0, 3, time, "second"), settings))
                    .isInstanceOf(WriteException.class)
                    .hasMessageContaining("tides-3@")
                    .hasMessageContaining("the topic was created again")
                    .hasMessageContaining("index.name")
                    .satisfies(e -> assertThat(((WriteException) e).failure()).isEqualTo(Failure.FATAL));
        }
        assertThat(source(index, "tides+3+0").path("log").asText()).isEqualTo("mapped anew");
        assertThat(count(index)).isEqualTo(30);

        write(
                log(0, 3, NOON_MS + 60_000, "second"),
                "index.name",
                index,
                "key.ignore",
                "true",
                "external.version",
                "none");
        assertThat(source(index, "tides+3+0").path("log").asText()).isEqualTo("second");
    }

    /** The documents are not in the shards of their ids. */
    @Test
    void anOlderLogIsAlsoNoticedBehindARouting(TestInfo test) throws WriteException {
        String index = indexOf(test);
        NODE.request("PUT", "/" + index, "{\"settings\":{\"number_of_shards\":5,\"number_of_replicas\":0}}");
        String[] settings = {"index.name", index, "key.ignore", "true", "routing", "\"${topic}\""};
        write(log(0, 30, NOON_MS, "first"), settings);

        assertThatThrownBy(() -> write(log(0, 3, NOON_MS - 60_000, "second"), settings))
                .hasMessageContaining("the topic was created again");
        assertThat(count(index)).isEqualTo(30);
    }

    @Test
    void aYoungerLogConflictsWhereverItMeetsTheFirst(TestInfo test) throws WriteException {
        String index = indexOf(test);
        String[] settings = {"index.name", index, "key.ignore", "true"};
        write(log(25, 30, NOON_MS, "first"), settings);
        NODE.request("POST", "/" + index + "/_update/tides+3+26", "{\"doc\":{\"by\":\"another program\"}}");
        write(log(25, 30, NOON_MS, "first"), settings);
        assertThat(source(index, "tides+3+26").path("by").asText()).isEqualTo("another program");

        assertThatThrownBy(() -> write(log(0, 30, NOON_MS + 1, "second"), settings))
                .hasMessageContaining("[tides+3+25]")
                .hasMessageContaining("the topic was created again");
        assertThat(source(index, "tides+3+25").path("log").asText()).isEqualTo("first");
    }

    @Test
    void versionsThatAreOffsetsOrTimesShowNoOtherLog(TestInfo test) throws WriteException {
        String index = indexOf(test);
        List<Long> versions = List.of(2_000_000L, NOON_MS, NOON_MS * 1_000, NOON_MS * 1_000_000);
        for (int i = 0; i < versions.size(); i++) {
            String path = "/" + index + "/_doc/tides+3+" + i + "?version_type=external&version=" + versions.get(i);
            NODE.request("PUT", path, "{\"log\":\"of another program\"}");
        }

        write(log(0, versions.size(), NOON_MS, "ours"), "index.name", index, "key.ignore", "true");

        for (int i = 0; i < versions.size(); i++) {
            assertThat(source(index, "tides+3+" + i).path("log").asText()).isEqualTo("ours");
        }
    }

    private static List<SinkRecord> log(int from, int to, long timestampMs, String log) {
        List<SinkRecord> records = new ArrayList<>();
        for (int offset = from; offset < to; offset++) {
            records.add(new SinkRecord(
                    "tides",
                    3,
                    null,
                    null,
                    null,
                    "{\"log\":\"" + log + "\"}",
                    offset,
                    timestampMs + offset,
                    TimestampType.CREATE_TIME));
        }
        return records;
    }

    /** A dead letter about a record of another topic. */
    private static SinkRecord letter(String key, String json, long offset, long at) {
        SinkRecord letter = record(key, json, at);
        letter.headers()
                .addString("__connect.errors.topic", "levels")
                .addInt("__connect.errors.partition", 5)
                .addLong("__connect.errors.offset", offset);
        return letter;
    }

    private static SinkRecord told(String key, int offset, String method, String pipeline) {
        SinkRecord record = record(key, "{\"n" + offset + "\":" + offset + "}", offset);
        record.headers().addString("op", method).addString("pipeline", pipeline);
        return record;
    }

    /** Each is stored as it is, or refused with a reason. None changes another document or its request. */
    @Test
    void hostileValuesAreStoredOrRefusedWithAReason(TestInfo test) throws WriteException {
        for (String method : List.of("index", "upsert")) {
            String index = indexOf(test) + "-" + method;
            NODE.request(
                    "PUT",
                    "/" + index,
                    "{\"mappings\":{\"dynamic\":false,\"properties\":{\"n1\":{\"type\":\"integer\"},\"kafka\":{"
                            + "\"properties\":{\"offset\":{\"type\":\"long\"},\"key\":{\"type\":\"keyword\"}}}}}}");
            List<SinkRecord> records = new ArrayList<>();
            HostileJson.values(23, HOSTILE)
                    .forEach(value -> records.add(record("k" + records.size(), value, records.size())));
            refused.clear();
            Set<Integer> stored = write(
                    records,
                    "index.name",
                    index,
                    "write.method",
                    method,
                    "event.time",
                    "${field:$.n0}",
                    "metadata.fields",
                    "offset,key,headers,partition:n1");

            assertThat(refused).doesNotContain("").hasSize(HOSTILE - stored.size());
            assertThat(count(index)).isEqualTo(stored.size()).isBetween(HOSTILE / 10L, HOSTILE * 9L / 10);
            Set<Integer> found = new HashSet<>();
            for (int from = 0; from < HOSTILE; from += 1_000) {
                JsonNode hits = NODE.request(
                                "POST",
                                "/" + index + "/_search",
                                "{\"size\":1000,\"_source\":false,"
                                        + "\"docvalue_fields\":[\"kafka.offset\",\"kafka.key\",\"n1\"],"
                                        + "\"query\":{\"ids\":{\"values\":" + ids(from, from + 1_000) + "}}}")
                        .at("/hits/hits");
                for (JsonNode hit : hits) {
                    int n = Integer.parseInt(hit.path("_id").asText().substring(1));
                    assertThat(hit.at("/fields/kafka.offset/0").asInt()).isEqualTo(n);
                    assertThat(hit.at("/fields/kafka.key/0").asText()).isEqualTo("k" + n);
                    assertThat(hit.at("/fields/n1/0").asInt()).isEqualTo(3);
                    found.add(n);
                }
            }
            assertThat(found).isEqualTo(stored);
        }
    }

    private static List<String> ids(int from, int to) {
        List<String> ids = new ArrayList<>();
        for (int n = from; n < to; n++) {
            ids.add("\"k" + n + "\"");
        }
        return ids;
    }

    private static SinkRecord record(String key, Object value, long offset) {
        SinkRecord record =
                new SinkRecord("tides", 3, null, key, null, value, offset, NOON_MS, TimestampType.CREATE_TIME);
        record.headers().addString("h", "x");
        return record;
    }

    /** Writes records in batches of 500; returns the positions of those that were not refused. */
    private Set<Integer> write(List<SinkRecord> records, String... settings) throws WriteException {
        Set<Integer> written = new HashSet<>();
        try (Target target = new ElasticsearchTargetType().open(props(settings));
                BatchWriter writer = new DeliveredWriter(target)) {
            for (int from = 0; from < records.size(); from += 500) {
                List<Document> documents = new ArrayList<>();
                Map<Document, Integer> positions = new HashMap<>();
                for (int i = from; i < Math.min(records.size(), from + 500); i++) {
                    try {
                        Document document =
                                target.mapper().map(records.get(i), PROGRESS).orElseThrow();
                        documents.add(document);
                        positions.put(document, i);
                    } catch (RefusedException e) {
                        refused.add(e.getMessage());
                    }
                }
                for (Refusal refusal : refusals(writer, documents)) {
                    refused.add(refusal.reason().getMessage());
                    positions.remove(refusal.document());
                }
                written.addAll(positions.values());
            }
        }
        return written;
    }

    /** Halves a request that is refused as a whole, as the core does, until the server names the document. */
    private static List<Refusal> refusals(BatchWriter writer, List<Document> documents) throws WriteException {
        try {
            return writer.write(documents);
        } catch (WriteException e) {
            List<Document> left = e.unwritten();
            if (e.failure() != Failure.REJECTED || left.size() == 1) {
                throw e;
            }
            List<Refusal> refusals = new ArrayList<>(e.refusals());
            refusals.addAll(refusals(writer, left.subList(0, left.size() / 2)));
            refusals.addAll(refusals(writer, left.subList(left.size() / 2, left.size())));
            return refusals;
        }
    }

    private static Map<String, String> props(String... settings) {
        Map<String, String> props = new HashMap<>();
        props.put("connection.url", NODE.url().toString());
        props.put("connection.username", NODE.username());
        props.put("connection.password", NODE.password());
        props.put("ssl.ca", NODE.caCertificate().toString());
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        return props;
    }

    private static JsonNode source(String index, String id) {
        return NODE.request("GET", "/" + index + "/_doc/" + id, "").path("_source");
    }

    private static long count(String index) {
        NODE.request("POST", "/" + index + "/_refresh", "");
        return NODE.request("GET", "/" + index + "/_count", "").path("count").asLong();
    }

    private static String indexOf(TestInfo test) {
        return test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    }
}
