package io.tidegate.connect.lab.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.List;

/** A node of Elasticsearch or OpenSearch with one index, and others that a sink makes with its name as their prefix. */
public abstract class SearchStore implements Store {
    /** This program's requests are sequential, so they use one connection. */
    private static final int OWN_CONNECTIONS = 1;

    private final String product;
    private final String index;
    private final SearchServer server;

    /**
     * A store of a node that is not started yet.
     *
     * @param product its name in results
     */
    protected SearchStore(String product, String index, SearchServer server) {
        this.product = product;
        this.index = index;
        this.server = server;
    }

    @Override
    public final List<Server> servers() {
        return List.of(server);
    }

    /**
     * Sends a request of this program.
     *
     * @param json the body, or an empty string for no body
     * @throws ToolException if the request fails or the response is an error
     */
    public final JsonNode ask(String method, String path, String json) throws ToolException {
        try {
            return server.request(method, path, json);
        } catch (ServerException e) {
            throw new ToolException(e.getMessage(), e);
        }
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
        ask("DELETE", "/" + all(), "");
        String definition = indexDefinition.isEmpty() ? "{}" : indexDefinition;
        String template = "{\"index_patterns\":[\"" + all() + "\"],\"template\":" + definition + "}";
        ask("PUT", "/_index_template/" + index, template);
        ask("PUT", "/" + index, "");
    }

    final String all() {
        return index + "*";
    }

    @Override
    public long progress() throws ToolException {
        return ask("GET", "/" + all() + "/_stats/indexing?filter_path=_all.primaries.indexing.index_total", "")
                .at("/_all/primaries/indexing/index_total")
                .asLong();
    }

    @Override
    public long count() throws ToolException {
        ask("POST", "/" + all() + "/_refresh", "");
        return ask("GET", "/" + all() + "/_count", "").path("count").asLong();
    }

    @Override
    public int connections() throws ToolException {
        int open = 0;
        for (JsonNode one : ask("GET", "/_nodes/stats/http?filter_path=nodes.*.http.current_open", "")
                .path("nodes")) {
            open += one.at("/http/current_open").asInt();
        }
        return Math.max(0, open - OWN_CONNECTIONS);
    }

    /** The segments without the transaction log. The store's own statistics are up to ten seconds old. */
    @Override
    public long bytes() throws ToolException {
        long bytes = 0;
        for (JsonNode segment : ask("GET", "/_cat/segments/" + all() + "?format=json&bytes=b&h=prirep,size", "")) {
            bytes += segment.path("prirep").asText().equals("p")
                    ? segment.path("size").asLong()
                    : 0;
        }
        return bytes;
    }

    @Override
    public String version() throws ToolException {
        return product + " " + ask("GET", "/", "").at("/version/number").asText();
    }

    @Override
    public void close() {
        server.close();
    }
}
