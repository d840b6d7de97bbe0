package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.process.KeptServer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An {@link ElasticsearchNode} without indexes, templates, pipelines and users that the test classes of this JVM use one
 * after the other.
 */
public final class KeptElasticsearch extends KeptServer<ElasticsearchNode> implements Elasticsearch {
    private static final Kept<ElasticsearchNode> KEPT =
            new Kept<>(() -> ElasticsearchNode.builder().fastStart().build());

    public KeptElasticsearch() {
        super(KEPT);
    }

    @Override
    public URI url() {
        return server().url();
    }

    @Override
    public String username() {
        return server().username();
    }

    @Override
    public String password() {
        return server().password();
    }

    @Override
    public Path caCertificate() {
        return server().caCertificate();
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return server().request(method, path, json);
    }

    @Override
    protected void empty(ElasticsearchNode used) {
        deleteEverything(used);
    }

    /**
     * Each by its name: the server refuses patterns in deletions. What begins with a dot is the server's. The
     * node has no requests about data streams, so that it refuses to delete the template of one.
     */
    static void deleteEverything(SearchServer node) {
        for (JsonNode index : node.request("GET", "/_cat/indices?format=json&h=index&expand_wildcards=all", "")) {
            delete(node, "", index.path("index").asText());
        }
        for (JsonNode template : node.request("GET", "/_index_template", "").path("index_templates")) {
            delete(node, "/_index_template", template.path("name").asText());
        }
        for (JsonNode template : node.request("GET", "/_component_template", "").path("component_templates")) {
            delete(node, "/_component_template", template.path("name").asText());
        }
        node.request("GET", "/_template", "").fieldNames().forEachRemaining(name -> delete(node, "/_template", name));
        String pipelines = "/metadata/ingest/pipeline"; // a request for all of them is an error if there is none
        for (JsonNode pipeline :
                node.request("GET", "/_cluster/state/metadata", "").at(pipelines)) {
            delete(node, "/_ingest/pipeline", pipeline.path("id").asText());
        }
        for (String kind : new String[] {"user", "role"}) {
            node.request("GET", "/_security/" + kind, "").properties().forEach(entry -> {
                if (!entry.getValue().at("/metadata/_reserved").asBoolean()) {
                    delete(node, "/_security/" + kind, entry.getKey());
                }
            });
        }
        JsonNode unused = node.request(
                "PUT", "/_cluster/settings", "{\"persistent\": {\"*\": null}, \"transient\": {\"*\": null}}");
    }

    private static void delete(SearchServer node, String path, String name) {
        if (!name.startsWith(".")) {
            JsonNode unused = node.request(
                    "DELETE",
                    path + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"),
                    "");
        }
    }
}
