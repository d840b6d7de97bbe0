package io.tidegate.connect.bench.sink;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.testkit.ElasticsearchNode;
import io.tidegate.connect.testkit.Server;
import io.tidegate.connect.testkit.ServerException;
import java.util.List;
import java.util.Map;

/** One Elasticsearch node, by its kind with its security or without, and the index {@code bench}. */
final class ElasticsearchStore implements Store {
    static final String INDEX = "bench";

    /** Our requests are made one after the other, so one connection serves them all. */
    private static final int OWN_CONNECTIONS = 1;

    private final StoreKind kind;
    private final ElasticsearchNode node;

    ElasticsearchStore(StoreKind kind) {
        this.kind = kind;
        ElasticsearchNode.Builder builder = ElasticsearchNode.builder().heap("1g");
        node = (isPlain() ? builder.plainHttp() : builder).build();
    }

    @Override
    public StoreKind kind() {
        return kind;
    }

    boolean isPlain() {
        return kind == StoreKind.ELASTICSEARCH_HTTP;
    }

    @Override
    public List<Server> servers() {
        return List.of(node);
    }

    ElasticsearchNode node() {
        return node;
    }

    @Override
    public void open() {
        // Requests need no preparation.
    }

    @Override
    public Map<String, String> environment() {
        if (isPlain()) {
            return Map.of("TIDEGATE_ELASTICSEARCH_HTTP_URL", node.url().toString());
        }
        return Map.of(
                "TIDEGATE_ELASTICSEARCH_URL", node.url().toString(),
                "TIDEGATE_ELASTICSEARCH_USERNAME", node.username(),
                "TIDEGATE_ELASTICSEARCH_PASSWORD", node.password(),
                "TIDEGATE_ELASTICSEARCH_CA", node.caCertificate().toString());
    }

    @Override
    public void reset(Subject subject) throws BenchException {
        ask("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
        ask("PUT", "/" + INDEX, subject.indexDefinition());
    }

    @Override
    public long progress() throws BenchException {
        return ask("GET", "/" + INDEX + "/_stats/indexing?filter_path=_all.primaries.indexing.index_total", "")
                .at("/_all/primaries/indexing/index_total")
                .asLong();
    }

    @Override
    public boolean progressIsExact() {
        return true;
    }

    @Override
    public long count() throws BenchException {
        ask("POST", "/" + INDEX + "/_refresh", "");
        return ask("GET", "/" + INDEX + "/_count", "").path("count").asLong();
    }

    @Override
    public int connections() throws BenchException {
        int open = 0;
        for (JsonNode one : ask("GET", "/_nodes/stats/http?filter_path=nodes.*.http.current_open", "")
                .path("nodes")) {
            open += one.at("/http/current_open").asInt();
        }
        return Math.max(0, open - OWN_CONNECTIONS);
    }

    /** Bulks as the shards count them: with one shard, as they were sent. */
    @Override
    public long requests() throws BenchException {
        return ask("GET", "/" + INDEX + "/_stats/bulk?filter_path=_all.primaries.bulk.total_operations", "")
                .at("/_all/primaries/bulk/total_operations")
                .asLong();
    }

    @Override
    public String version() throws BenchException {
        return "Elasticsearch " + ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        node.close();
    }

    private JsonNode ask(String method, String path, String json) throws BenchException {
        try {
            return node.request(method, path, json);
        } catch (ServerException e) {
            throw new BenchException(e.getMessage(), e);
        }
    }
}
