package io.tidegate.connect.lab.store;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import java.util.Map;
import java.util.function.UnaryOperator;

/** An Elasticsearch node with one index, and others that a sink makes with its name as their prefix. */
public final class ElasticsearchStore extends SearchStore {
    private final String variables;
    private final ElasticsearchNode node;

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
        this(
                variables,
                index,
                change.apply(ElasticsearchNode.builder()
                                .heap("1g")
                                .property("action.destructive_requires_name", "false")
                                .property("cluster.max_shards_per_node", "2000"))
                        .build());
    }

    private ElasticsearchStore(String variables, String index, ElasticsearchNode node) {
        super("Elasticsearch", index, node);
        this.variables = variables;
        this.node = node;
    }

    public ElasticsearchNode node() {
        return node;
    }

    /** A shell command that searches the index. */
    public String shellCommand() {
        return "curl --cacert " + node.caCertificate() + " -u " + node.username() + ":" + node.password() + " '"
                + node.url() + "/" + index() + "/_search?pretty'";
    }

    @Override
    public Map<String, String> environment() {
        if (node.url().getScheme().equals("http")) {
            return Map.of(variables + "URL", node.url().toString());
        }
        return Map.of(
                variables + "URL", node.url().toString(),
                variables + "USERNAME", node.username(),
                variables + "PASSWORD", node.password(),
                variables + "CA", node.caCertificate().toString());
    }

    /** The number of bulk operations of the shards. With one shard this is the number of bulk requests. */
    @Override
    public long requests() throws ToolException {
        return ask("GET", "/" + all() + "/_stats/bulk?filter_path=_all.primaries.bulk.total_operations", "")
                .at("/_all/primaries/bulk/total_operations")
                .asLong();
    }
}
