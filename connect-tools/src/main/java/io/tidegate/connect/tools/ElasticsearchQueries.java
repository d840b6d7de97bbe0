package io.tidegate.connect.tools;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.ServerException;

/** Our own questions to an Elasticsearch node. One thread. */
public record ElasticsearchQueries(ElasticsearchNode node) {
    /** Our requests are made one after the other, so one connection serves them all. */
    private static final int OWN_CONNECTIONS = 1;

    /**
     * Sends a request.
     *
     * @param json the body, or nothing
     * @throws ToolException also for an answer that is an error
     */
    public JsonNode ask(String method, String path, String json) throws ToolException {
        try {
            return node.request(method, path, json);
        } catch (ServerException e) {
            throw new ToolException(e.getMessage(), e);
        }
    }

    /** Documents that an index pattern's primaries have taken, from a counter that costs the server nothing. */
    public long indexed(String indices) throws ToolException {
        return ask("GET", "/" + indices + "/_stats/indexing?filter_path=_all.primaries.indexing.index_total", "")
                .at("/_all/primaries/indexing/index_total")
                .asLong();
    }

    /** Documents that queries find from now on, counted. */
    public long count(String index) throws ToolException {
        ask("POST", "/" + index + "/_refresh", "");
        return ask("GET", "/" + index + "/_count", "").path("count").asLong();
    }

    /** Connections of all others. */
    public int connections() throws ToolException {
        int open = 0;
        for (JsonNode one : ask("GET", "/_nodes/stats/http?filter_path=nodes.*.http.current_open", "")
                .path("nodes")) {
            open += one.at("/http/current_open").asInt();
        }
        return Math.max(0, open - OWN_CONNECTIONS);
    }
}
