package io.tidegate.connect.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.scenarios.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An Elasticsearch or OpenSearch node with an index for each topic, whose documents are identified by their coordinates in Kafka. */
final class ElasticsearchStore implements Store {
    /** Elasticsearch's own bound on the documents of a search (index.max_result_window), raised for the tests. */
    private static final int MOST_HITS = 50_000;

    private final SearchServer node;
    private final Map<String, String> environment;
    private final Map<String, String> connection;
    private final int shards;
    private final int replicas;

    ElasticsearchStore(Elasticsearch node) {
        this(node, 1, 0);
    }

    /** On one node of a cluster. */
    ElasticsearchStore(Elasticsearch node, int shards, int replicas) {
        this.node = node;
        this.environment = Map.of(
                "ELASTICSEARCH_PASSWORD", node.password(),
                "ELASTICSEARCH_CA", text(node.caCertificate()));
        this.connection = Map.of(
                "connection.username", node.username(),
                "connection.password", "${env:ELASTICSEARCH_PASSWORD}",
                "ssl.ca", "${env:ELASTICSEARCH_CA}");
        this.shards = shards;
        this.replicas = replicas;
    }

    /** The file itself is none of the worker's. */
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Over plain HTTP, without a user. */
    ElasticsearchStore(OpenSearchNode node) {
        this(node, Map.of());
    }

    /** With these settings to connect. */
    ElasticsearchStore(OpenSearchNode node, Map<String, String> connection) {
        this.node = node;
        this.environment = Map.of();
        this.connection = connection;
        this.shards = 1;
        this.replicas = 0;
    }

    @Override
    public SearchServer server() {
        return node;
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ELASTICSEARCH_URL", node.workerUrl().toString());
        return all;
    }

    @Override
    public Map<String, String> sinkConfig() {
        Map<String, String> config = new HashMap<>(connection);
        config.putAll(Map.of(
                "connector.class", ElasticsearchBulkSinkConnector.class.getName(),
                "connection.url", "${env:ELASTICSEARCH_URL}",
                "key.ignore", "true",
                "retry.backoff.max.ms", "500"));
        return config;
    }

    @Override
    public Map<String, String> impatience() {
        return Map.of("read.timeout.ms", "1000");
    }

    @Override
    public void create(String topic) {
        node.request(
                "PUT",
                "/" + topic,
                "{\"settings\": {\"number_of_shards\": " + shards + ", \"number_of_replicas\": " + replicas
                        + ", \"max_result_window\": " + MOST_HITS
                        + "}, \"mappings\": {\"properties\": {\"n\": {\"type\": \"long\"}}}}");
    }

    @Override
    public void clear(String topic) {
        node.request("DELETE", "/" + topic, "");
        create(topic);
    }

    @Override
    public long count(String topic) {
        node.request("POST", "/" + topic + "/_refresh", "");
        return node.request("GET", "/" + topic + "/_count", "").path("count").asLong(-1);
    }

    @Override
    public List<Long> numbers(String topic) {
        node.request("POST", "/" + topic + "/_refresh", "");
        JsonNode answer = node.request(
                "POST",
                "/" + topic + "/_search?filter_path=hits.hits.fields",
                "{\"size\": " + MOST_HITS + ", \"_source\": false, \"fields\": [\"n\"]}");
        List<Long> numbers = new ArrayList<>();
        answer.path("hits")
                .path("hits")
                .forEach(hit -> numbers.add(hit.path("fields").path("n").path(0).asLong()));
        Collections.sort(numbers);
        return numbers;
    }

    @Override
    public JsonNode object(String topic, long n) {
        JsonNode hits = node.request("POST", "/" + topic + "/_search", "{\"query\": {\"term\": {\"n\": " + n + "}}}")
                .path("hits")
                .path("hits");
        if (hits.size() != 1) {
            throw new AssertionError(hits.size() + " documents with n=" + n);
        }
        return hits.path(0).path("_source");
    }
}
