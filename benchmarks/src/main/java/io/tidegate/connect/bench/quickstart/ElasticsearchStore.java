package io.tidegate.connect.bench.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.ElasticsearchNode;
import io.tidegate.connect.testkit.Server;
import io.tidegate.connect.testkit.ServerException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Elasticsearch and the index {@code tides}, which the sink itself creates from our definition. */
final class ElasticsearchStore implements Store {
    /** Our requests are made one after the other, so one connection serves them all. */
    private static final int OWN_CONNECTIONS = 1;

    private static final int PAGE = 10_000;
    private static final String KEEP_ALIVE = "1m";

    private static final String HIGHEST_TIDES = """
            {"size": 0, "aggs": {"stations": {
              "terms": {"field": "name", "size": 5, "order": {"metres": "desc"}},
              "aggs": {"metres": {"max": {"field": "level"}}}}}}""";

    private final ElasticsearchNode server;
    private final Path indexDefinition;

    ElasticsearchStore(Path indexDefinition) {
        this.server = ElasticsearchNode.builder().heap("1g").build();
        this.indexDefinition = indexDefinition;
    }

    @Override
    public Sink sink() {
        return Sink.ES;
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public void prepare() {
        // The sink creates the index.
    }

    private JsonNode ask(String method, String path, String json) throws QuickstartException {
        try {
            return server.request(method, path, json);
        } catch (ServerException e) {
            throw new QuickstartException(e.getMessage(), e);
        }
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(
                "TIDEGATE_ELASTICSEARCH_URL", server.url().toString(),
                "TIDEGATE_ELASTICSEARCH_USERNAME", server.username(),
                "TIDEGATE_ELASTICSEARCH_PASSWORD", server.password(),
                "TIDEGATE_ELASTICSEARCH_CA", server.caCertificate().toString(),
                "TIDEGATE_TIDES_INDEX", indexDefinition.toString());
    }

    @Override
    public long arrived() throws QuickstartException {
        return ask("GET", "/" + Plan.TOPIC + "*/_stats/indexing?filter_path=_all.primaries.indexing.index_total", "")
                .at("/_all/primaries/indexing/index_total")
                .asLong();
    }

    @Override
    public int connections() throws QuickstartException {
        JsonNode nodes = ask("GET", "/_nodes/stats/http?filter_path=nodes.*.http.current_open", "")
                .path("nodes");
        int open = 0;
        for (JsonNode node : nodes) {
            open += node.at("/http/current_open").asInt();
        }
        return Math.max(0, open - OWN_CONNECTIONS);
    }

    @Override
    public long count() throws QuickstartException {
        ask("POST", "/" + Plan.TOPIC + "/_refresh", "");
        return ask("GET", "/" + Plan.TOPIC + "/_count", "").path("count").asLong();
    }

    /** Walks over all ids, which are the records' coordinates: a count alone would not show a record missing and another doubled. */
    @Override
    public long duplicates(Produced produced) throws QuickstartException {
        Coordinates coordinates = new Coordinates(produced);
        String pit = ask("POST", "/" + Plan.TOPIC + "/_pit?keep_alive=" + KEEP_ALIVE, "")
                .path("id")
                .asText();
        String after = "";
        while (true) {
            JsonNode page = ask(
                    "POST",
                    "/_search?filter_path=pit_id,hits.hits._id,hits.hits.sort",
                    "{\"size\":" + PAGE + ",\"_source\":false,\"track_total_hits\":false,\"pit\":{\"id\":\"" + pit
                            + "\",\"keep_alive\":\"" + KEEP_ALIVE + "\"},\"sort\":[\"_shard_doc\"]" + after + "}");
            JsonNode hits = page.at("/hits/hits");
            if (hits.isEmpty()) {
                ask("DELETE", "/_pit", "{\"id\":\"" + pit + "\"}");
                return coordinates.surplus();
            }
            hits.forEach(hit -> coordinates.found(hit.path("_id").asText()));
            after = ",\"search_after\":" + hits.get(hits.size() - 1).path("sort");
            pit = page.path("pit_id").asText(pit);
        }
    }

    @Override
    public Example highestTides() throws QuickstartException {
        List<String> answer = new ArrayList<>();
        for (JsonNode station :
                ask("POST", "/" + Plan.TOPIC + "/_search", HIGHEST_TIDES).at("/aggregations/stations/buckets")) {
            answer.add(Example.row(
                    station.path("key").asText(), station.at("/metres/value").asDouble()));
        }
        return new Example("POST /" + Plan.TOPIC + "/_search\n" + HIGHEST_TIDES, answer);
    }

    @Override
    public String address() {
        return "curl --cacert " + server.caCertificate() + " -u " + server.username() + ":" + server.password() + " '"
                + server.url() + "/" + Plan.TOPIC + "/_search?pretty'";
    }

    @Override
    public void close() {
        server.close();
    }
}
