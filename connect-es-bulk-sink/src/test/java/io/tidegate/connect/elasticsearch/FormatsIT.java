package io.tidegate.connect.elasticsearch;

import static io.tidegate.connect.testkit.scenarios.ChangeEvents.deleted;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.snapshot;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.tombstone;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.scenarios.AvroScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Values in Avro, with a schema registry, and Debezium's change events without a transform, in a real worker. */
final class FormatsIT extends AvroScenarios {
    private final Elasticsearch node = servers().elasticsearch();
    private final ElasticsearchStore store = new ElasticsearchStore(node);

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Path sinkPluginPath() {
        return Path.of("target", "plugin");
    }

    private static Map<String, String> settings(String index, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "value.envelope", "debezium",
                "index.name", index,
                "key.ignore", "false",
                "behavior.on.null.values", "delete"));
        for (String setting : more) {
            settings.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        return settings;
    }

    /** The documents of an index by their ids, as JSON. */
    private Map<String, String> documents(String index) {
        node.request("POST", "/" + index + "/_refresh", "");
        Map<String, String> documents = new TreeMap<>();
        for (JsonNode hit : node.request("POST", "/" + index + "/_search", "{}")
                .path("hits")
                .path("hits")) {
            documents.put(hit.path("_id").asText(), hit.path("_source").toString());
        }
        return documents;
    }

    private void awaitDocuments(String index, Map<String, String> documents) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(documents(index))
                .isEqualTo(documents));
    }

    @Test
    void anIndexFollowsItsSource() {
        store.create("follows");
        startSink(2, settings("follows"));
        String two = "{\"id\":2}";
        String line = "{\"order\":3,\"line\":\"a\"}";
        records()
                .sendAll(Stream.of(
                        snapshot(topic(), 100),
                        written(topic(), "c", 101, two, "{\"id\":2,\"n\":1}"),
                        written(topic(), "u", 102, two, "{\"id\":2,\"n\":2}"),
                        written(topic(), "c", 103, line, "{\"order\":3}"),
                        deleted(topic(), 106, two, "null"),
                        tombstone(topic(), two),
                        written(topic(), "c", 106, "{\"id\":4}", "{\"id\":4,\"n\":2}")));

        awaitDocuments(
                "follows",
                Map.of(
                        "1", "{\"id\":1,\"details\":{\"city\":\"Seattle\"}}",
                        "4", "{\"id\":4,\"n\":2}",
                        "[\"3\",\"a\"]", "{\"order\":3}"));
        assertNoTaskFailed();
    }

    @Test
    void anOlderChangeFromAnotherTopicReplacesAndDeletesNothing() {
        store.create("guarded");
        String other = topic() + "-replayed";
        broker().createTopic(other, 1);
        startSink(1, settings("guarded", "external.version=source_position", "topics=" + topic() + "," + other));
        records()
                .sendAll(Stream.of(
                        written(topic(), "u", 200, "{\"id\":1}", "{\"n\":2}"),
                        written(topic(), "u", 200, "{\"id\":2}", "{\"n\":2}")));
        awaitDocuments("guarded", Map.of("1", "{\"n\":2}", "2", "{\"n\":2}"));

        records()
                .sendAll(Stream.of(
                        written(other, "u", 100, "{\"id\":1}", "{\"n\":1}"),
                        deleted(other, 150, "{\"id\":2}", "null"),
                        tombstone(other, "{\"id\":2}"),
                        written(other, "u", 200, "{\"id\":1}", "{\"n\":9}"),
                        written(other, "c", 300, "{\"id\":3}", "{\"n\":3}")));
        awaitDocuments("guarded", Map.of("1", "{\"n\":9}", "2", "{\"n\":2}", "3", "{\"n\":3}"));

        records().sendAll(Stream.of(deleted(other, 400, "{\"id\":1}", "null")));
        awaitDocuments("guarded", Map.of("2", "{\"n\":2}", "3", "{\"n\":3}"));
    }

    @Test
    void fieldsOfTheOldRowNameTheDocumentToDelete() {
        store.create("tenant-a");
        startSink(
                1,
                settings(
                        "tenant-${field:$.tenant}",
                        "document.id=${field:$.n}",
                        "routing=${field:$.n}",
                        "external.version=none"));
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 1, null, "{\"tenant\":\"a\",\"n\":1}"),
                        written(topic(), "c", 2, null, "{\"tenant\":\"a\",\"n\":2}")));
        awaitDocuments("tenant-a", Map.of("1", "{\"tenant\":\"a\",\"n\":1}", "2", "{\"tenant\":\"a\",\"n\":2}"));

        records().sendAll(Stream.of(deleted(topic(), 3, null, "{\"tenant\":\"a\",\"n\":1}")));
        awaitDocuments("tenant-a", Map.of("2", "{\"tenant\":\"a\",\"n\":2}"));
    }
}
