package io.tidegate.connect.check.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.check.oracle.StoredItem;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRelease;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import io.tidegate.connect.testkit.process.Server;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node of Elasticsearch or OpenSearch. The indexes of a case begin with its name. A template gives each index a mapping in which only the
 * field {@code n} has a type.
 */
public final class SearchAccess implements StoreAccess {
    private static final String TEMPLATE = """
            {"index_patterns": ["c*"], "template": {
              "settings": {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1", "gc_deletes": "1h"},
              "mappings": {"dynamic": false, "properties": {"n": {"type": "long"}%s}}}}""";
    private static final String VECTOR = ", \"v\": {\"type\": \"dense_vector\", \"dims\": 3, \"index\": false}";

    private static final Pattern COORDINATES = Pattern.compile("(c\\d+-[a-z]+)\\+(\\d+)\\+(\\d+)");
    private static final int MOST = 10_000;

    private final SearchServer node;
    private final boolean vectors;

    private SearchAccess(SearchServer node, boolean vectors) {
        this.node = node;
        this.vectors = vectors;
    }

    /** A node of OpenSearch. */
    public static SearchAccess openSearch() {
        return new SearchAccess(configured(OpenSearchNode.builder()).build(), false);
    }

    /**
     * A node of Elasticsearch.
     *
     * @param vectors whether it is a release that takes vectors as Base64, and each index has them
     */
    public static SearchAccess elasticsearch(boolean vectors) {
        ElasticsearchNode.Builder builder = ElasticsearchNode.builder().plainHttp();
        return new SearchAccess(
                configured(vectors ? builder.release(ElasticsearchRelease.V9) : builder)
                        .build(),
                vectors);
    }

    private static <B extends JvmServerBuilder<B>> B configured(B builder) {
        return builder.fastStart()
                .heap("512m")
                .property("action.destructive_requires_name", "false")
                .property("cluster.max_shards_per_node", "5000");
    }

    @Override
    public String kind() {
        return "search";
    }

    @Override
    public Server server() {
        return node;
    }

    @Override
    public void open() {
        node.request("PUT", "/_index_template/check", TEMPLATE.formatted(vectors ? VECTOR : ""));
    }

    @Override
    public TcpProxy proxy() {
        return TcpProxy.to("localhost", node.url().getPort());
    }

    @Override
    public Map<String, String> address(TcpProxy proxy) {
        return Map.of("url", "http://%s:%d".formatted(proxy.host(), proxy.port()));
    }

    @Override
    public void prepare(CheckCase planned, String name) {
        // The template creates indexes.
    }

    /** Changes the settings of all indexes of the case. */
    @Override
    public void change(String name, String change) {
        node.request("PUT", "/" + name + "-*/_settings?allow_no_indices=true", change);
    }

    @Override
    public List<StoredItem> read(CheckCase planned, String name) {
        node.request("POST", "/" + name + "-*/_refresh", "");
        String whole = vectors ? ", \"_source\": {\"exclude_vectors\": false}" : "";
        JsonNode found = node.request("POST", "/" + name + "-*/_search", "{\"size\": " + MOST + whole + "}");
        List<StoredItem> items = new ArrayList<>();
        for (JsonNode hit : found.path("hits").path("hits")) {
            Matcher place = COORDINATES.matcher(hit.path("_id").asText());
            String id = place.matches()
                    ? place.group(1) + "-" + place.group(2) + "@" + place.group(3)
                    : hit.path("_id").asText();
            items.add(new StoredItem(
                    hit.path("_index").asText(),
                    Optional.of(id),
                    withArrays(hit.path("_source"), planned),
                    Optional.empty(),
                    Optional.empty()));
        }
        return items;
    }

    /** The server returns a vector that is not indexed in the form in which it got it: as an array, or in Base64. */
    private static JsonNode withArrays(JsonNode source, CheckCase planned) {
        for (String field : planned.vectorFields()) {
            if (source.path(field).isTextual()) {
                byte[] bytes = Base64.getDecoder().decode(source.path(field).asText());
                FloatBuffer floats = ByteBuffer.wrap(bytes).asFloatBuffer();
                ArrayNode elements = ((ObjectNode) source).putArray(field);
                while (floats.hasRemaining()) {
                    elements.add(floats.get());
                }
            }
        }
        return source;
    }

    @Override
    public Optional<Damage> damage(String name, Random choice) {
        JsonNode hits = node.request("POST", "/" + name + "-*/_search", "{\"size\": 3}")
                .path("hits")
                .path("hits");
        if (hits.isEmpty()) {
            return Optional.empty();
        }
        JsonNode hit = hits.get(choice.nextInt(hits.size()));
        String id = URLEncoder.encode(hit.path("_id").asText(), StandardCharsets.UTF_8)
                .replace("+", "%20");
        String index = hit.path("_index").asText();
        boolean isDeleted = choice.nextBoolean();
        if (isDeleted) {
            node.request("DELETE", "/" + index + "/_doc/" + id, "");
        } else {
            node.request("POST", "/" + index + "/_update/" + id, "{\"doc\": {\"damaged\": true}}");
        }
        return Optional.of(Damage.of(isDeleted, (isDeleted ? "deleted " : "changed ") + index + "/" + id));
    }

    @Override
    public void empty(CheckCase planned, String name) {
        drop(planned, name);
    }

    @Override
    public void drop(CheckCase planned, String name) {
        node.request("DELETE", "/" + name + "-*", "");
    }

    @Override
    public void close() {
        node.close();
    }
}
