package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.scenarios.SinkHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In short, what the sink is for, in a real distributed worker: for servers that not every test is repeated on. */
@Tag("smoke")
abstract class ServerSmoke extends SinkHarness {
    @TempDir
    static Path folder;

    @Override
    protected abstract ElasticsearchStore store();

    /** How the sink calls the server, up to its major version: "Elasticsearch 9.". */
    /** The setting server.product. */
    protected abstract String product();

    /** Skips the class where the server cannot run, and says why. */
    static void skipIf(Optional<String> obstacle) {
        obstacle.ifPresent(reason -> {
            System.err.println("Skipped: " + reason);
            Assumptions.abort(reason);
        });
    }

    @Test
    void writesEveryRecordOnce() {
        records().send(topic(), 0, 5_000);
        startSink(2, Map.of());
        records().send(topic(), 5_000, 10_000);

        awaitStored(0, 10_000);
        assertNoTaskFailed();
    }

    @Test
    void keepsTheNewestVersionOfEachKeyAndDeletes() {
        startSink(2, Map.of("key.ignore", "false", "behavior.on.null.values", "delete"));
        for (int n = 0; n < 500; n++) {
            records().sendKeyed(topic(), "a", "{\"n\": " + n + "}");
            records().sendKeyed(topic(), "b", "{\"n\": " + n + "}");
        }
        records().sendTombstone(topic(), "b");

        awaitLastStored(499, 500);
        assertNoTaskFailed();
    }

    @Test
    void anOlderVersionOfTheRecordsOwnNeverReplacesANewerOne() {
        startSink(2, Map.of("key.ignore", "false", "external.version", "${field:$.n}"));
        records().sendKeyed(topic(), "a", "{\"n\": 7}");
        records().sendKeyed(topic(), "a", "{\"n\": 5}");
        records().send(topic(), 8, 9);

        awaitLastStored(7, 9);
        JsonNode document = store().server().request("GET", "/" + topic() + "/_doc/a", "");
        assertThat(document.path("_version").asLong()).isEqualTo(7);
        assertNoTaskFailed();
    }

    @Test
    void aMappingErrorGoesToTheDeadLetterQueueWithItsReason() {
        startSink(1, withDeadLetters(Map.of()));
        records().send(topic(), 0, 10);
        records().sendJson(topic(), "{\"n\": \"very high\"}");
        records().send(topic(), 10, 20);

        awaitStored(0, 20);
        assertThat(records().deadLetters(deadLetters())).singleElement().satisfies(letter -> assertThat(letter.reason())
                .contains("parsing_exception", "400", "index " + topic())
                .doesNotContain("very high"));
        assertNoTaskFailed();
    }

    @Test
    void createsTheDocumentsOfADataStreamAndTheirTimestamps() throws IOException {
        String stream = "stream-of-" + topic();
        startSink(2, dataStream(stream));
        records().send(topic(), 0, 1_000);

        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> store().numbers(stream).size() == 1_000);
        JsonNode hit = store().server()
                .request("GET", "/" + stream + "/_search?size=1", "")
                .at("/hits/hits/0");
        assertThat(hit.path("_index").asText()).startsWith(".ds-" + stream);
        assertThat(hit.at("/_source/@timestamp").asText()).matches("\\d{4}-.*Z");
        assertNoTaskFailed();
    }

    private Map<String, String> dataStream(String stream) throws IOException {
        Path template = Files.writeString(
                folder.resolve(stream + ".json"),
                "{\"index_patterns\": [\"" + stream + "\"], \"data_stream\": {}, \"template\": {\"settings\":"
                        + " {\"number_of_replicas\": 0, \"max_result_window\": 50000}}}");
        return Map.of(
                "server.product",
                product(),
                "index.name",
                stream,
                "destination.type",
                "data_stream",
                "write.method",
                "create",
                "document.id",
                "coordinates",
                "index.template.name",
                stream,
                "index.template.file",
                template.toString());
    }

    @Test
    void validatesAConfigurationAgainstTheServer() throws IOException {
        assertThat(rest().validate(connector(), config(Map.of())).errors()).isEmpty();
        assertThat(rest().validate(connector(), config(Map.of("pipeline", "nowhere")))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("pipeline: there is no ingest pipeline nowhere on ");

        String stream = "stream-of-" + topic();
        startSink(1, dataStream(stream));
        records().send(topic(), 0, 1);
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> store().numbers(stream).size() == 1);
        assertThat(rest().validate(connector(), config(Map.of("index.name", stream)))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("write.method: " + stream)
                .contains("is a data stream");
    }

    private String connector() {
        return ElasticsearchBulkSinkConnector.class.getName();
    }

    private Map<String, String> config(Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(store().sinkConfig());
        config.put("name", topic());
        config.put("topics", topic());
        config.putAll(settings);
        return config;
    }
}
