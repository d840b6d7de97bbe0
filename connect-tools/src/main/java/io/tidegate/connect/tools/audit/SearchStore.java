package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.elasticsearch.ElasticsearchTarget;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Questions to Elasticsearch, through the sink's own client. One thread uses it, except for {@link #abort()}. */
final class SearchStore implements AutoCloseable {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final int NOT_FOUND = 404;
    private static final Set<Integer> UNREADABLE = Set.of(400, 401, 403, NOT_FOUND);

    /** The types of fields that {@code index.mapping.exclude_source_vectors} keeps out of documents. */
    private static final Set<String> VECTORS = Set.of("dense_vector", "rank_vectors", "sparse_vector");

    private final ConnectionSettings settings;
    private final SharedResource.Lease<ElasticsearchClient> client;
    private final ElasticsearchSession session;

    SearchStore(ConnectionSettings settings) {
        this.settings = requireNonNull(settings, "settings");
        this.client = ElasticsearchTarget.CLIENTS.lease(settings, ElasticsearchClient::open);
        this.session = new ElasticsearchSession(client.get(), settings);
    }

    /** A stored document. */
    record Hit(String id, String index, long version, JsonNode source) {}

    /** Reads JSON as the answers are read, so that numbers can be compared. */
    static JsonNode json(String text) throws ToolException {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new ToolException("what the sink would send is not JSON", e);
        }
    }

    /** Makes what was written before visible to searches. */
    void refresh(String index) throws ToolException {
        Optional<JsonNode> unused = ask("POST", "/" + Request.inPath(index) + "/_refresh", Optional.empty());
    }

    /** The documents with these ids, in whichever of the indexes behind the name they are. */
    Map<String, List<Hit>> find(String index, Collection<String> ids) throws ToolException {
        ObjectNode body = JSON.createObjectNode().put("size", 10_000).put("version", true);
        body.putArray("sort").add("_doc");
        ids.forEach(body.putObject("query").putObject("ids").putArray("values")::add);
        Map<String, List<Hit>> hits = new HashMap<>();
        Optional<JsonNode> answer = ask("POST", "/" + Request.inPath(index) + "/_search", Optional.of(body));
        if (answer.isEmpty()) {
            return hits; // there is no such index
        }
        requireAllShards(index, answer.get());
        for (JsonNode hit : answer.get().path("hits").path("hits")) {
            String id = hit.path("_id").asText();
            hits.computeIfAbsent(id, each -> new ArrayList<>())
                    .add(new Hit(
                            id,
                            hit.path("_index").asText(),
                            hit.path("_version").asLong(-1),
                            hit.path("_source")));
        }
        return hits;
    }

    long count(String index) throws ToolException {
        Optional<JsonNode> answer = ask("GET", "/" + Request.inPath(index) + "/_count", Optional.empty());
        if (answer.isEmpty()) {
            return 0;
        }
        requireAllShards(index, answer.get());
        return answer.get().path("count").asLong();
    }

    /** OpenSearch does not count a shard that no node has among the failed ones. */
    private void requireAllShards(String index, JsonNode answer) throws ToolException {
        JsonNode shards = answer.path("_shards");
        if (answer.path("timed_out").asBoolean()
                || shards.path("failed").asInt() > 0
                || shards.path("successful").asInt() < shards.path("total").asInt()) {
            throw new ToolException(description() + " did not search all shards of " + index);
        }
    }

    /** The default pipelines of an index, or of those behind an alias. */
    Set<String> defaultPipelines(String index) throws ToolException {
        return pipelines(index, "index.default_pipeline");
    }

    /** The pipelines after which documents of an index are stored, whatever the request says. */
    Set<String> finalPipelines(String index) throws ToolException {
        return pipelines(index, "index.final_pipeline");
    }

    private Set<String> pipelines(String index, String setting) throws ToolException {
        return settings(index).stream()
                .flatMap(SearchStore::elements)
                .map(each -> each.path("settings").path(setting).asText(IndexSettings.NO_PIPELINE))
                .filter(name -> !name.equals(IndexSettings.NO_PIPELINE))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether a pipeline may drop documents or store them elsewhere; also if this user may not read it. */
    boolean mayMove(String pipeline) throws ToolException {
        Optional<JsonNode> answer =
                ask("GET", "/_ingest/pipeline/" + Request.inPath(pipeline), Optional.empty(), UNREADABLE);
        return answer.filter(each -> each.has(pipeline)).isEmpty()
                || IngestPipeline.mayMove(answer.get().path(pipeline));
    }

    private Optional<JsonNode> settings(String index) throws ToolException {
        return ask("GET", "/" + Request.inPath(index) + "/_settings?include_defaults", Optional.empty());
    }

    /**
     * Why documents of an index are not stored as they are sent, pipelines aside; empty if they are.
     *
     * @param areVectorsEncoded whether the sink sends vectors in another form
     */
    Optional<String> changes(String index, boolean areVectorsEncoded) throws ToolException {
        Optional<JsonNode> answer = settings(index);
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        boolean mayLackVectors = areVectorsEncoded;
        for (JsonNode each : answer.get()) {
            JsonNode known = each.path("settings");
            String mode = known.path("index.mode").asText("standard");
            String source = known.path("index.mapping.source.mode").asText("stored");
            if (!mode.equals("standard") || !source.equals("stored")) {
                return Optional.of("the index does not store documents as they were sent (index.mode=" + mode + ")");
            }
            String ofVectors = "index.mapping.exclude_source_vectors"; // since Elasticsearch 9.2
            mayLackVectors |= known.path(ofVectors)
                    .asText(each.path("defaults").path(ofVectors).asText("false"))
                    .equals("true");
        }
        Optional<JsonNode> mappings = ask("GET", "/" + Request.inPath(index) + "/_mapping", Optional.empty());
        if (mappings.stream().flatMap(SearchStore::elements).anyMatch(SearchStore::storesPart)) {
            return Optional.of("the mapping's _source does not store documents as they were sent");
        }
        return mayLackVectors && mappings.stream().anyMatch(SearchStore::hasVectors)
                ? Optional.of("vectors are not stored as they were sent")
                : Optional.empty();
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false);
    }

    private static boolean storesPart(JsonNode ofIndex) {
        JsonNode source = ofIndex.path("mappings").path("_source");
        return !source.path("enabled").asBoolean(true)
                || !source.path("mode").asText("stored").equals("stored")
                || !source.path("includes").isEmpty()
                || !source.path("excludes").isEmpty();
    }

    private static boolean hasVectors(JsonNode mappings) {
        return mappings.findValuesAsText("type").stream().anyMatch(VECTORS::contains);
    }

    String description() {
        return "Elasticsearch at " + settings.nodes();
    }

    /** Empty if there is no such thing. */
    private Optional<JsonNode> ask(String method, String path, Optional<ObjectNode> body) throws ToolException {
        return ask(method, path, body, Set.of(NOT_FOUND));
    }

    /** Empty if the answer has one of these statuses. */
    private Optional<JsonNode> ask(String method, String path, Optional<ObjectNode> body, Set<Integer> empty)
            throws ToolException {
        session.begin();
        try {
            int query = path.indexOf('?');
            String pathOnly = query < 0 ? path : path.substring(0, query);
            Map<String, String> parameters =
                    query < 0 ? Map.of() : Map.of("flat_settings", "true", "include_defaults", "true");
            Request request = body.isPresent()
                    ? Request.ofJson(method, pathOnly, parameters, JSON.writeValueAsBytes(body.get()))
                    : new Request(method, pathOnly, parameters, Optional.empty(), false);
            Response response = session.perform(request, method + " " + path);
            if (empty.contains(response.status())) {
                return Optional.empty();
            }
            if (!response.isSuccess()) {
                throw RequestFailure.of(method + " " + path, response);
            }
            return Optional.of(JSON.readTree(response.content()));
        } catch (RequestFailure | IOException e) {
            throw new ToolException(description() + " cannot be audited: " + e.getMessage(), e);
        }
    }

    /** Any thread: the request that waits ends with an error. */
    void abort() {
        session.abort();
    }

    @Override
    public void close() {
        client.close();
    }
}
