package io.tidegate.connect.bench.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ElasticsearchQueries;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Elasticsearch and the index {@code tides}, which the sink itself creates from our definition. */
final class ElasticsearchStore implements Store {
    private static final int PAGE = 10_000;
    private static final String KEEP_ALIVE = "1m";

    private static final String HIGHEST_TIDES = """
            {"size": 0, "aggs": {"stations": {
              "terms": {"field": "name", "size": 5, "order": {"metres": "desc"}},
              "aggs": {"metres": {"max": {"field": "level"}}}}}}""";

    private final ElasticsearchNode server;
    private final ElasticsearchQueries session;
    private final Path indexDefinition;

    ElasticsearchStore(Path indexDefinition) {
        this.server = ElasticsearchNode.builder().heap("1g").build();
        this.session = new ElasticsearchQueries(server);
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
    public long arrived() throws ToolException {
        return session.indexed(Plan.TOPIC + "*");
    }

    @Override
    public int connections() throws ToolException {
        return session.connections();
    }

    @Override
    public long count() throws ToolException {
        return session.count(Plan.TOPIC);
    }

    /** Walks over all ids, which are the records' coordinates: a count alone would not show a record missing and another doubled. */
    @Override
    public long duplicates(Produced produced) throws ToolException {
        Coordinates coordinates = new Coordinates(produced);
        String pit = session.ask("POST", "/" + Plan.TOPIC + "/_pit?keep_alive=" + KEEP_ALIVE, "")
                .path("id")
                .asText();
        String after = "";
        while (true) {
            JsonNode page = session.ask(
                    "POST",
                    "/_search?filter_path=pit_id,hits.hits._id,hits.hits.sort",
                    "{\"size\":" + PAGE + ",\"_source\":false,\"track_total_hits\":false,\"pit\":{\"id\":\"" + pit
                            + "\",\"keep_alive\":\"" + KEEP_ALIVE + "\"},\"sort\":[\"_shard_doc\"]" + after + "}");
            JsonNode hits = page.at("/hits/hits");
            if (hits.isEmpty()) {
                session.ask("DELETE", "/_pit", "{\"id\":\"" + pit + "\"}");
                return coordinates.surplus();
            }
            hits.forEach(hit -> coordinates.found(hit.path("_id").asText()));
            after = ",\"search_after\":" + hits.get(hits.size() - 1).path("sort");
            pit = page.path("pit_id").asText(pit);
        }
    }

    @Override
    public Example highestTides() throws ToolException {
        List<String> answer = new ArrayList<>();
        for (JsonNode station : session.ask("POST", "/" + Plan.TOPIC + "/_search", HIGHEST_TIDES)
                .at("/aggregations/stations/buckets")) {
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
