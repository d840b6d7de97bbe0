package io.tidegate.connect.bench.sink;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ElasticsearchQueries;
import io.tidegate.connect.tools.ToolException;
import java.util.List;
import java.util.Map;

/** One Elasticsearch node, by its kind with its security or without, and the index {@code bench}. */
final class ElasticsearchStore implements Store {
    static final String INDEX = "bench";

    private final StoreKind kind;
    private final ElasticsearchNode node;
    private final ElasticsearchQueries session;

    ElasticsearchStore(StoreKind kind) {
        this.kind = kind;
        ElasticsearchNode.Builder builder = ElasticsearchNode.builder().heap("1g");
        node = (isPlain() ? builder.plainHttp() : builder).build();
        session = new ElasticsearchQueries(node);
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
    public void reset(Subject subject) throws ToolException {
        session.ask("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
        session.ask("PUT", "/" + INDEX, subject.indexDefinition());
    }

    @Override
    public long progress() throws ToolException {
        return session.indexed(INDEX);
    }

    @Override
    public boolean progressIsExact() {
        return true;
    }

    @Override
    public long count() throws ToolException {
        return session.count(INDEX);
    }

    @Override
    public int connections() throws ToolException {
        return session.connections();
    }

    /** Bulks as the shards count them: with one shard, as they were sent. */
    @Override
    public long requests() throws ToolException {
        return session.ask("GET", "/" + INDEX + "/_stats/bulk?filter_path=_all.primaries.bulk.total_operations", "")
                .at("/_all/primaries/bulk/total_operations")
                .asLong();
    }

    @Override
    public String version() throws ToolException {
        return "Elasticsearch "
                + session.ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        node.close();
    }
}
