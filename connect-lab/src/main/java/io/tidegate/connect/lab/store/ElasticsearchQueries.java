package io.tidegate.connect.lab.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.process.ServerException;

/** This program's own queries to an Elasticsearch or OpenSearch node. Not thread-safe. */
public record ElasticsearchQueries(SearchServer node) {
    /** The program's requests are sequential, so they use one connection. */
    private static final int OWN_CONNECTIONS = 1;

    /**
     * Sends a request.
     *
     * @param json the body, or an empty string for no body
     * @throws ToolException if the request fails or the response is an error
     */
    public JsonNode ask(String method, String path, String json) throws ToolException {
        try {
            return node.request(method, path, json);
        } catch (ServerException e) {
            throw new ToolException(e.getMessage(), e);
        }
    }

    /** The number of documents in the primaries of an index pattern, from a cheap counter. */
    public long indexed(String indices) throws ToolException {
        return ask("GET", "/" + indices + "/_stats/indexing?filter_path=_all.primaries.indexing.index_total", "")
                .at("/_all/primaries/indexing/index_total")
                .asLong();
    }

    /** The number of documents that a query finds, after a refresh. */
    public long count(String index) throws ToolException {
        ask("POST", "/" + index + "/_refresh", "");
        return ask("GET", "/" + index + "/_count", "").path("count").asLong();
    }

    /** The number of connections, without this program's own. */
    public int connections() throws ToolException {
        int open = 0;
        for (JsonNode one : ask("GET", "/_nodes/stats/http?filter_path=nodes.*.http.current_open", "")
                .path("nodes")) {
            open += one.at("/http/current_open").asInt();
        }
        return Math.max(0, open - OWN_CONNECTIONS);
    }
}
