package io.tidegate.connect.harness.store;

import io.tidegate.connect.harness.ElasticsearchQueries;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.command.ToolException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** An Elasticsearch node with one index, and others that a sink makes with its name as their prefix. */
public final class ElasticsearchStore implements Store {
    private final String variables;
    private final boolean secure;
    private final String index;
    private final ElasticsearchNode node;
    private final ElasticsearchQueries queries;

    /**
     * Creates the node without starting it.
     *
     * @param secure with TLS and a user; otherwise plain HTTP
     */
    public ElasticsearchStore(boolean secure, String index) {
        this(
                secure ? "TIDEGATE_ELASTICSEARCH_" : "TIDEGATE_ELASTICSEARCH_HTTP_",
                index,
                builder -> secure ? builder : builder.plainHttp());
    }

    /**
     * Creates the node without starting it.
     *
     * @param variables how the names of the environment variables begin
     * @param change sets what the node has besides the defaults
     */
    public ElasticsearchStore(String variables, String index, UnaryOperator<ElasticsearchNode.Builder> change) {
        this.variables = variables;
        this.index = index;
        node = change.apply(ElasticsearchNode.builder()
                        .heap("1g")
                        .property("action.destructive_requires_name", "false")
                        .property("cluster.max_shards_per_node", "2000"))
                .build();
        secure = node.url().getScheme().equals("https");
        queries = new ElasticsearchQueries(node);
    }

    @Override
    public List<Server> servers() {
        return List.of(node);
    }

    public ElasticsearchNode node() {
        return node;
    }

    /** This program's own requests. */
    public ElasticsearchQueries queries() {
        return queries;
    }

    /** A shell command that searches the index. */
    public String shellCommand() {
        return "curl --cacert " + node.caCertificate() + " -u " + node.username() + ":" + node.password() + " '"
                + node.url() + "/" + index + "/_search?pretty'";
    }

    @Override
    public void open() {
        // Requests need no preparation.
    }

    @Override
    public Map<String, String> environment() {
        if (!secure) {
            return Map.of(variables + "URL", node.url().toString());
        }
        return Map.of(
                variables + "URL", node.url().toString(),
                variables + "USERNAME", node.username(),
                variables + "PASSWORD", node.password(),
                variables + "CA", node.caCertificate().toString());
    }

    @Override
    public void reset(Table table, String indexDefinition) throws ToolException {
        queries.ask("DELETE", "/" + all(), "");
        String definition = indexDefinition.isEmpty() ? "{}" : indexDefinition;
        String template = "{\"index_patterns\":[\"" + all() + "\"],\"template\":" + definition + "}";
        queries.ask("PUT", "/_index_template/" + index, template);
        queries.ask("PUT", "/" + index, "");
    }

    @Override
    public void execute(List<String> statements) throws ToolException {
        for (String request : statements) {
            String[] parts = (request + "  ").split(" ", 3);
            queries.ask(parts[0], parts[1], parts[2].strip());
        }
    }

    private String all() {
        return index + "*";
    }

    @Override
    public long progress() throws ToolException {
        return queries.indexed(all());
    }

    @Override
    public long count() throws ToolException {
        return queries.count(all());
    }

    @Override
    public int connections() throws ToolException {
        return queries.connections();
    }

    /** The number of bulk operations of the shards. With one shard this is the number of bulk requests. */
    @Override
    public long requests() throws ToolException {
        return queries.ask("GET", "/" + all() + "/_stats/bulk?filter_path=_all.primaries.bulk.total_operations", "")
                .at("/_all/primaries/bulk/total_operations")
                .asLong();
    }

    /** Without the transaction log. */
    @Override
    public long bytes() throws ToolException {
        return queries.ask("GET", "/" + all() + "/_stats/store?filter_path=_all.primaries.store.size_in_bytes", "")
                .at("/_all/primaries/store/size_in_bytes")
                .asLong();
    }

    @Override
    public String version() throws ToolException {
        return "Elasticsearch "
                + queries.ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        node.close();
    }
}
