package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRelease;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real Elasticsearch 9 says about documents that it does not keep as they were sent. Skipped, and said so, without a Java that runs it. */
final class SearchStoreIT {
    private static final ElasticsearchNode NODE = ElasticsearchNode.builder()
            .release(ElasticsearchRelease.V9)
            .fastStart()
            .plainHttp()
            .build();

    @BeforeAll
    static void start() {
        ElasticsearchRelease.V9.obstacle().ifPresent(reason -> {
            System.err.println("Skipped: " + reason);
            Assumptions.abort(reason);
        });
        NODE.start();
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a | | {\"n\": {\"type\": \"long\"}} | false | ``",
                "b | | {\"v\": {\"type\": \"dense_vector\", \"dims\": 2}} | false | vectors are not stored as they were sent",
                "c | | {\"o\": {\"properties\": {\"v\": {\"type\": \"sparse_vector\"}}}} | false | vectors are not stored as they were sent",
                "d | \"index.mapping.exclude_source_vectors\": false | {\"v\": {\"type\": \"dense_vector\", \"dims\": 2}} | false | ``",
                "e | \"index.mapping.exclude_source_vectors\": false | {\"v\": {\"type\": \"dense_vector\", \"dims\": 2}} | true | vectors are not stored as they were sent",
                "f | | {\"n\": {\"type\": \"long\"}} | true | ``"
            },
            delimiter = '|')
    void vectorsAreNotCompared(String index, String settings, String properties, boolean encoded, String reason)
            throws ToolException {
        NODE.request(
                "PUT",
                "/" + index,
                "{\"settings\": {" + (settings == null ? "" : settings) + "}, \"mappings\": {\"properties\": "
                        + properties + "}}");

        assertThat(changes(index, encoded)).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"excludes\": [\"secret\"]}", "{\"includes\": [\"n\"]}"})
    void whatTheMappingDoesNotStoreIsNotCompared(String source) throws ToolException {
        String index = "part-" + source.length();
        NODE.request("PUT", "/" + index, "{\"mappings\": {\"_source\": " + source + "}}");

        assertThat(changes(index, false)).contains("_source");
    }

    @Test
    void anIndexWithoutAllShardsIsNotCounted() {
        NODE.request("PUT", "/whole/_doc/1", "{}");
        NODE.request(
                "PUT",
                "/lost?wait_for_active_shards=0",
                "{\"settings\": {\"index.routing.allocation.require._name\": \"nobody\"}}");
        NODE.request(
                "POST",
                "/_aliases",
                "{\"actions\": [{\"add\": {\"indices\": [\"whole\", \"lost\"], \"alias\": \"both\"}}]}");

        try (SearchStore store = store()) {
            assertThatThrownBy(() -> store.count("both")).hasMessageEndingWith("did not search all shards of both");
            assertThatThrownBy(() -> store.find("both", List.of("1")))
                    .hasMessageEndingWith("did not search all shards of both");
        } finally {
            NODE.request("DELETE", "/lost", "");
        }
    }

    private static String changes(String index, boolean encoded) throws ToolException {
        try (SearchStore store = store()) {
            return store.changes(index, encoded).orElse("");
        }
    }

    private static SearchStore store() {
        return new SearchStore(ConnectionSettings.from(new AbstractConfig(
                new ElasticsearchTargetType().config(),
                Map.of("connection.url", NODE.workerUrl().toString(), "topics", "tides"),
                false)));
    }
}
