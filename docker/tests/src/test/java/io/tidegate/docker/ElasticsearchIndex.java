package io.tidegate.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** An index. Requests go to any node that responds. */
final class ElasticsearchIndex implements Store {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final int PAGE = 10_000;
    private static final int OK = 200;

    private final String index;
    private final List<URI> nodes;
    private final String authorization;
    private final HttpClient http;

    ElasticsearchIndex(String index, List<URI> nodes, String password, SSLContext trusting) {
        this.index = index;
        this.nodes = List.copyOf(nodes);
        this.authorization =
                "Basic " + Base64.getEncoder().encodeToString(("elastic:" + password).getBytes(StandardCharsets.UTF_8));
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ANSWER)
                .sslContext(trusting)
                .build();
    }

    @Override
    public String name() {
        return "Elasticsearch";
    }

    @Override
    public long count() throws StoreException {
        return ask("/" + index + "/_count", "{}").path("count").asLong();
    }

    /** The state of the cluster: green, yellow or red. */
    String health() throws StoreException {
        JsonNode health = ask("/_cluster/health", "");
        boolean complete = health.path("number_of_nodes").asInt() == nodes.size();
        return complete ? health.path("status").asText() : "only " + health.path("number_of_nodes") + " nodes";
    }

    /** The node with the primary of the first shard. */
    String primaryNode() throws StoreException {
        JsonNode shards = ask("/_cat/shards/" + index + "?format=json", "");
        for (JsonNode shard : shards) {
            if (shard.path("prirep").asText().equals("p")) {
                return shard.path("node").asText();
            }
        }
        throw new StoreException(new IOException("no primary shard: " + shards));
    }

    @Override
    public void readAfter(long number, Consumer<JsonNode> document) throws StoreException {
        ask("/" + index + "/_refresh", "");
        double last = ask("/" + index + "/_search", """
                {"size": 0, "aggs": {"last": {"max": {"field": "n"}}}}
                """)
                .path("aggregations")
                .path("last")
                .path("value")
                .asDouble();
        // A page holds twice as many documents as the step, so a duplicate is not cut off.
        for (long after = number; after < last; after += PAGE / 2) {
            ask("/" + index + "/_search", """
                    {"size": %d, "query": {"range": {"n": {"gt": %d, "lte": %d}}}}
                    """.formatted(PAGE, after, after + PAGE / 2))
                    .path("hits")
                    .path("hits")
                    .forEach(hit -> document.accept(hit.path("_source")));
        }
    }

    /** A request with an empty body is a GET. */
    private JsonNode ask(String path, String body) throws StoreException {
        IOException failure = new IOException("there are no nodes");
        for (URI node : nodes) {
            try {
                return ask(node.resolve(path), body);
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new StoreException(failure);
    }

    private JsonNode ask(URI uri, String body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(ANSWER)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json");
        if (!body.isEmpty()) {
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new IOException(uri + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }
}
