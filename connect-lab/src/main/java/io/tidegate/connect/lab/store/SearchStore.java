package io.tidegate.connect.lab.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;

/** A node of Elasticsearch or OpenSearch with one index, and others that a sink makes with its name as their prefix. */
public abstract class SearchStore implements Store {
    private final String product;
    private final String index;
    private final SearchServer server;
    private final ElasticsearchQueries queries;

    /**
     * A store of a node that is not started yet.
     *
     * @param product its name in results
     */
    protected SearchStore(String product, String index, SearchServer server) {
        this.product = product;
        this.index = index;
        this.server = server;
        queries = new ElasticsearchQueries(server);
    }

    @Override
    public final List<Server> servers() {
        return List.of(server);
    }

    /** This program's own requests. */
    public final ElasticsearchQueries queries() {
        return queries;
    }

    final String index() {
        return index;
    }

    @Override
    public void open() {
        // Requests need no preparation.
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

    final String all() {
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

    /** The segments without the transaction log. The store's own statistics are up to ten seconds old. */
    @Override
    public long bytes() throws ToolException {
        long bytes = 0;
        for (JsonNode segment :
                queries.ask("GET", "/_cat/segments/" + all() + "?format=json&bytes=b&h=prirep,size", "")) {
            bytes += segment.path("prirep").asText().equals("p")
                    ? segment.path("size").asLong()
                    : 0;
        }
        return bytes;
    }

    @Override
    public String version() throws ToolException {
        return product + " " + queries.ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        server.close();
    }
}
