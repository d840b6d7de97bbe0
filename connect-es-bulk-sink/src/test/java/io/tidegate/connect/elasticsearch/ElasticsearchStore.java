package io.tidegate.connect.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.ElasticsearchNode;
import io.tidegate.connect.testkit.Server;
import io.tidegate.connect.testkit.scenarios.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** An Elasticsearch node with an index for each topic, whose documents are identified by their coordinates in Kafka. */
final class ElasticsearchStore implements Store {
    /** Elasticsearch's own bound on the documents of a search (index.max_result_window), raised for the tests. */
    private static final int MOST_HITS = 50_000;

    private final ElasticsearchNode node;
    private final int shards;
    private final int replicas;

    ElasticsearchStore(ElasticsearchNode node) {
        this(node, 1, 0);
    }

    /** On one node of a cluster. */
    ElasticsearchStore(ElasticsearchNode node, int shards, int replicas) {
        this.node = node;
        this.shards = shards;
        this.replicas = replicas;
    }

    @Override
    public Server server() {
        return node;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(
                "ELASTICSEARCH_URL", node.url().toString(),
                "ELASTICSEARCH_PASSWORD", node.password(),
                "ELASTICSEARCH_CA", node.caCertificate().toString());
    }

    @Override
    public Map<String, String> sinkConfig() {
        return Map.of(
                "connector.class", ElasticsearchBulkSinkConnector.class.getName(),
                "connection.url", "${env:ELASTICSEARCH_URL}",
                "connection.username", node.username(),
                "connection.password", "${env:ELASTICSEARCH_PASSWORD}",
                "ssl.ca", "${env:ELASTICSEARCH_CA}",
                "key.ignore", "true",
                "retry.backoff.max.ms", "500");
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
