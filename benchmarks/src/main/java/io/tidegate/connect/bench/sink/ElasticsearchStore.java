package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.bench.ElasticsearchSession;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** One Elasticsearch node, by its kind with its security or without, and the index {@code bench}. */
final class ElasticsearchStore implements Store {
    static final String INDEX = "bench";

    private final StoreKind kind;
    private final ElasticsearchNode node;
    private final ElasticsearchSession session;

    ElasticsearchStore(StoreKind kind) {
        this.kind = kind;
        ElasticsearchNode.Builder builder = ElasticsearchNode.builder().heap("1g");
        node = (isPlain() ? builder.plainHttp() : builder).build();
        session = new ElasticsearchSession(node);
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
        session.ask("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
        session.ask("PUT", "/" + INDEX, subject.indexDefinition());
    }

    @Override
    public long progress() throws BenchException {
        return session.indexed(INDEX);
    }

    @Override
    public boolean progressIsExact() {
        return true;
    }

    @Override
    public long count() throws BenchException {
        return session.count(INDEX);
    }

    @Override
    public int connections() throws BenchException {
        return session.connections();
    }

    /** Bulks as the shards count them: with one shard, as they were sent. */
    @Override
    public long requests() throws BenchException {
        return session.ask("GET", "/" + INDEX + "/_stats/bulk?filter_path=_all.primaries.bulk.total_operations", "")
                .at("/_all/primaries/bulk/total_operations")
                .asLong();
    }

    @Override
    public String version() throws BenchException {
        return "Elasticsearch "
                + session.ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        node.close();
    }
}
