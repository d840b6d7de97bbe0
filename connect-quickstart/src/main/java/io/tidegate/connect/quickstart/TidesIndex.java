package io.tidegate.connect.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.ElasticsearchStore;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.Snapshot.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The index {@code tides} in Elasticsearch, which the sink creates from the file in its configuration. */
final class TidesIndex implements TideStore {
    private static final int PAGE = 10_000;
    private static final String KEEP_ALIVE = "1m";

    private static final String HIGHEST_TIDES = """
            {"size": 0, "aggs": {"stations": {
              "terms": {"field": "name", "size": 5, "order": {"metres": "desc"}},
              "aggs": {"metres": {"max": {"field": "level"}}}}}}""";

    private static final String HAS_LEVEL = """
            {"exists": {"field": "level"}}, {"exists": {"field": "station"}}, {"exists": {"field": "time"}}""";

    private static final String STATION = """
            {"size": 1, "_source": ["station", "name"], "query": {"bool": {
              "filter": [%s], "should": [{"term": {"station": "%s"}}]}}}""".formatted(HAS_LEVEL, SEATTLE);

    private static final String LEVELS = """
            {"size": %d, "_source": ["time", "level"], "sort": [{"time": "desc"}], "query": {"bool": {
              "filter": [%s, {"term": {"station": %s}}]}}}""";

    private final ElasticsearchStore store = new ElasticsearchStore(true, Plan.TOPIC);
    private final Path indexDefinition;

    TidesIndex(Path indexDefinition) {
        this.indexDefinition = indexDefinition;
    }

    @Override
    public Sink sink() {
        return Sink.ES;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void prepare() {
        // The sink creates the index.
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(store.environment());
        environment.put("TIDEGATE_TIDES_INDEX", indexDefinition.toString());
        return environment;
    }

    @Override
    public long arrived() throws ToolException {
        return store.progress();
    }

    @Override
    public long count() throws ToolException {
        return store.count();
    }

    /** Compares all ids, because a count cannot show one missing and one duplicated record. */
    @Override
    public long duplicates(Produced produced) throws ToolException {
        Coordinates coordinates = new Coordinates(produced);
        String pit = store.ask("POST", "/" + Plan.TOPIC + "/_pit?keep_alive=" + KEEP_ALIVE, "")
                .path("id")
                .asText();
        String after = "";
        while (true) {
            JsonNode page = store.ask(
                    "POST",
                    "/_search?filter_path=pit_id,hits.hits._id,hits.hits.sort",
                    "{\"size\":" + PAGE + ",\"_source\":false,\"track_total_hits\":false,\"pit\":{\"id\":\"" + pit
                            + "\",\"keep_alive\":\"" + KEEP_ALIVE + "\"},\"sort\":[\"_shard_doc\"]" + after + "}");
            JsonNode hits = page.at("/hits/hits");
            if (hits.isEmpty()) {
                store.ask("DELETE", "/_pit", "{\"id\":\"" + pit + "\"}");
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
        for (JsonNode station :
                store.ask("POST", "/" + Plan.TOPIC + "/_search", HIGHEST_TIDES).at("/aggregations/stations/buckets")) {
            answer.add(Example.row(
                    station.path("key").asText(), station.at("/metres/value").asDouble()));
        }
        return new Example("POST /" + Plan.TOPIC + "/_search\n" + HIGHEST_TIDES, answer);
    }

    @Override
    public Optional<Station> station() throws ToolException {
        return search(STATION)
                .findFirst()
                .map(found -> new Station(
                        found.path("station").asText(),
                        found.path("name").asText(found.path("station").asText())));
    }

    @Override
    public List<Level> levels(String station) throws ToolException {
        return search(LEVELS.formatted(MOST_LEVELS, HAS_LEVEL, TextNode.valueOf(station)))
                .flatMap(found -> TideStore.level(
                        found.path("time").asText(), found.path("level").asDouble())
                        .stream())
                .toList();
    }

    /** The documents that a search finds: none before the sink has created the index. */
    private Stream<JsonNode> search(String query) throws ToolException {
        JsonNode hits = store.ask("POST", "/" + Plan.TOPIC + "/_search?ignore_unavailable=true", query)
                .at("/hits/hits");
        return StreamSupport.stream(hits.spliterator(), false).map(hit -> hit.path("_source"));
    }

    @Override
    public String address() {
        return store.shellCommand();
    }
}
