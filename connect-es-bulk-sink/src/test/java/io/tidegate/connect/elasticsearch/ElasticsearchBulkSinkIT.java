package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.scenarios.PluginScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Elasticsearch sink in a real distributed worker, from its own plugin folder, on a real node over HTTPS. */
final class ElasticsearchBulkSinkIT extends PluginScenarios {
    private final Elasticsearch node = servers().elasticsearch();
    private final ElasticsearchStore store = new ElasticsearchStore(node);

    @Override
    protected Store store() {
        return store;
    }

    @Test
    void aWrongPasswordFailsTheTaskAndKeepsItSecret() {
        startSink(
                1,
                Map.of(
                        "connection.password", "hunter2",
                        "unauthorized.retry.ms", "0",
                        "validate.server", "never"));
        records().send(topic(), 0, 1);

        await().atMost(SOON).until(() -> rest().status(topic()).tasks().stream()
                .map(ConnectRest.TaskStatus::state)
                .anyMatch("FAILED"::equals));
        assertThat(rest().status(topic()).tasks().get(0).trace().orElseThrow())
                .contains("401", "connection.password")
                .doesNotContain("hunter2");
    }

    @Test
    void carriesOnWithANewPasswordFromItsConfigProvider() {
        String user = "{\"roles\": [\"superuser\"], \"password\": \"the-first-one\"}";
        node.request("PUT", "/_security/user/rotated", user);
        String secrets = worker().writeFile("secrets.properties", "password=the-first-one");
        startSink(
                2, Map.of("connection.username", "rotated", "connection.password", "${file:" + secrets + ":password}"));
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        worker().writeFile("secrets.properties", "password=the-second-one");
        node.request("PUT", "/_security/user/rotated", user.replace("first", "second"));
        records().send(topic(), 1_000, 2_000);

        awaitStored(0, 2_000);
        assertNoTaskFailed();
    }

    @Test
    @Tag("smoke")
    void aMappingErrorGoesToTheDeadLetterQueueWithItsReason() {
        startSink(1, withDeadLetters(Map.of()));
        records().send(topic(), 0, 10);
        records().sendJson(topic(), "{\"n\": \"not a number\"}");
        records().send(topic(), 10, 20);

        awaitStored(0, 20);
        assertThat(records().deadLetters(deadLetters())).singleElement().satisfies(letter -> assertThat(letter.reason())
                .contains("document_parsing_exception", "400"));
    }

    /** Beside a connector with versions of the records' own, which nothing sets back. */
    @Test
    @Override
    protected void survivesTheDeathOfTheServer() {
        try (Versioned versioned = new Versioned()) {
            startSink(2, Map.of());
            records().send(topic(), 0, 5_000);
            awaitFirstStored();

            versioned.send();
            long mark = logMark();
            node.kill();
            versioned.send();
            records().send(topic(), 5_000, 10_000);
            await().atMost(SOON).until(() -> Files.readString(worker().log())
                    .substring((int) mark)
                    .lines()
                    .anyMatch(line -> line.contains("[" + topic() + "|") && line.contains(OUTAGE)));
            node.start();
            records().send(topic(), 10_000, 15_000);

            awaitStored(0, 15_000);
            assertNoTaskFailed();
            versioned.awaitLatest();
        }
    }

    /** The same. */
    @Test
    @Override
    protected void survivesTheDeathOfTheWorker() {
        try (Versioned versioned = new Versioned()) {
            startSink(2, Map.of());
            records().send(topic(), 0, 5_000);
            awaitFirstStored();

            versioned.send();
            worker().kill();
            versioned.send();
            records().send(topic(), 5_000, 10_000);
            worker().start();

            awaitStored(0, 10_000);
            rest().awaitRunning(topic(), 2, SOON);
            versioned.awaitLatest();
        }
    }

    /** A connector whose documents are those of 100 keys, each with its record's number as version. */
    private final class Versioned implements AutoCloseable {
        private final String name = topic() + "-versioned";
        private long sent;

        Versioned() {
            broker().createTopic(name, 4);
            store.create(name);
            startSink(name, 2, Map.of("key.ignore", "false", "external.version", "${field:$.n}"));
        }

        /** Returns at once. */
        void send() {
            for (long end = sent + 3_000; sent < end; sent++) {
                records().sendKeyed(name, "k" + sent % 100, "{\"n\": " + sent + "}");
            }
        }

        void awaitLatest() {
            List<Long> latest = LongStream.range(sent - 100, sent).boxed().toList();
            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(store.numbers(name))
                    .isEqualTo(latest));
            JsonNode hits = node.request("POST", "/" + name + "/_search", "{\"size\": 200, \"version\": true}")
                    .at("/hits/hits");
            assertThat(hits).hasSize(100).allSatisfy(hit -> assertThat(
                            hit.path("_version").asLong())
                    .isEqualTo(hit.at("/_source/n").asLong()));
            assertThat(rest().awaitRunning(name, 2, SOON).tasks())
                    .allSatisfy(task -> assertThat(task.trace()).isEmpty());
        }

        @Override
        public void close() {
            if (worker().isRunning()) {
                rest().delete(name);
            }
        }
    }

    @Test
    void indexesThatTakeNothingDoNotHoldUpTheOthers() throws IOException {
        String red = topic() + "-8";
        String blocked = topic() + "-9";
        for (int index = 0; index < 10; index++) {
            store.create(topic() + "-" + index);
        }
        node.request("DELETE", "/" + red, "");
        node.request(
                "PUT",
                "/" + red + "?wait_for_active_shards=0",
                "{\"settings\": {\"number_of_replicas\": 0, \"max_result_window\": 50000,"
                        + " \"index.routing.allocation.require._name\": \"nobody\"}}");
        node.request("PUT", "/" + blocked + "/_settings", "{\"index.blocks.write\": true}");
        long mark = logMark();
        startSink(
                1,
                Map.of(
                        "key.ignore", "false",
                        "external.version", "none",
                        "index.name", "${topic}-${field:$.i}"));
        int records = 10_000;
        for (int n = 0; n < records; n++) {
            records().sendKeyed(topic(), "k" + n % 100, "{\"n\": " + n + ", \"i\": " + n % 10 + "}");
        }

        for (int index = 0; index < 8; index++) {
            awaitLastOfEachKey(index, records);
        }
        awaitLogged(mark, "accepts no writes to " + red);
        awaitLogged(mark, "accepts no writes to " + blocked);
        assertThat(committed()).isLessThan(200);
        assertThat(store.numbers(blocked)).isEmpty();

        node.request("PUT", "/" + blocked + "/_settings", "{\"index.blocks.write\": null}");
        node.request("PUT", "/" + red + "/_settings", "{\"index.routing.allocation.require._name\": null}");
        awaitLastOfEachKey(8, records);
        awaitLastOfEachKey(9, records);
        await().atMost(SOON).until(() -> committed() == records);
        awaitLogged(mark, "nothing waits for " + blocked + " any more");
        assertThat(Files.readString(worker().log()).substring((int) mark)).doesNotContain(OUTAGE);
        assertNoTaskFailed();
    }

    /** Both records are in one batch, and the later one would replace the earlier one. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "none"})
    void theDocumentBeforeOneThatAPipelineDropsIsWritten(String version) {
        node.request("PUT", "/_ingest/pipeline/dropping", "{\"processors\": [{\"drop\": {}}]}");
        startSink(
                1,
                Map.of(
                        "key.ignore", "false",
                        "external.version", version,
                        "pipeline", "${field:$.to}",
                        "linger.ms", "1000"));
        records().sendKeyed(topic(), "k", "{\"n\": 1, \"to\": \"_none\"}");
        records().sendKeyed(topic(), "k", "{\"n\": 2, \"to\": \"dropping\"}");

        awaitStored(1, 2);
        assertNoTaskFailed();
    }

    private long committed() {
        return rest().offsets(topic()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Each index holds ten keys; their records were sent in turns. */
    private void awaitLastOfEachKey(int index, int records) {
        List<Long> last = LongStream.range(records - 100, records)
                .filter(n -> n % 10 == index)
                .boxed()
                .toList();
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(store.numbers(topic() + "-" + index))
                .isEqualTo(last));
    }

    @Test
    @Tag("smoke")
    void theLatestVersionOfEachKeyIsStoredAndTombstonesDelete() {
        startSink(2, Map.of("key.ignore", "false", "behavior.on.null.values", "delete"));
        for (int level = 0; level < 500; level++) {
            records().sendKeyed(topic(), "a", "{\"n\": " + level + "}");
            records().sendKeyed(topic(), "b", "{\"n\": " + level + "}");
        }
        records().sendTombstone(topic(), "b");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.numbers(topic())).containsExactly(499L));
        assertNoTaskFailed();
    }

    /** The recipe in docs/how-to/values.md: the event's id is the document's, its type the index. */
    @Test
    @Tag("smoke")
    void storesCloudEventsInBinaryAndInStructuredModeOnceEach() {
        String structured = topic() + "-structured";
        broker().createTopic(structured, 1);
        startSink(
                1,
                Map.of(
                        "document.id",
                        "${header:ce_id}",
                        "index.name",
                        "${topic}-${header:ce_type}",
                        "header.converter",
                        "org.apache.kafka.connect.storage.StringConverter"));
        Map<String, String> event = Map.of(
                "ce_specversion", "1.0",
                "ce_id", "42:7",
                "ce_source", "/stations/9447130",
                "ce_type", "reading");
        records().sendWithHeaders(topic(), event, "{\"n\": 1}");
        records().sendWithHeaders(topic(), event, "{\"n\": 1}");
        await().atMost(SOON).ignoreExceptions().until(() -> store.object(topic() + "-reading", 1)
                .equals(new ObjectMapper().readTree("{\"n\": 1}")));
        awaitCommitted(2);
        assertThat(ids(topic() + "-reading")).isEqualTo("42:7");

        startSink(
                1,
                Map.of("topics", structured, "document.id", "${field:$.id}", "index.name", "${topic}-${field:$.type}"));
        records()
                .sendJson(
                        structured,
                        "{\"specversion\": \"1.0\", \"id\": \"e-2\", \"source\": \"/s\", \"type\": \"level\","
                                + " \"data\": {\"n\": 2}}");
        await().atMost(SOON).ignoreExceptions().until(() -> ids(structured + "-level")
                .equals("e-2"));
        assertNoTaskFailed();
    }

    private String ids(String index) {
        node.request("POST", "/" + index + "/_refresh", "");
        return node.request("POST", "/" + index + "/_search", "{}").at("/hits/hits").findValuesAsText("_id").stream()
                .sorted()
                .collect(Collectors.joining(","));
    }
}
