package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** An index of an Elasticsearch sink. It forgets the versions of deletions soon, so that they can be undone. */
final class DamagedIndex implements DamagedStore {
    private final Elasticsearch elasticsearch;
    private final String index;
    private final boolean isKeyed;
    private final boolean deletes;
    private final boolean hasVersions;

    DamagedIndex(Elasticsearch elasticsearch, String index, boolean isKeyed, Random dice) {
        this.elasticsearch = elasticsearch;
        this.index = index;
        this.isKeyed = isKeyed;
        this.deletes = isKeyed && dice.nextInt(3) > 0;
        this.hasVersions = !isKeyed || dice.nextInt(3) > 0;
        elasticsearch.request(
                "PUT",
                "/" + index,
                "{\"settings\":{\"index.gc_deletes\":\"0s\",\"number_of_shards\":1,\"number_of_replicas\":0}}");
    }

    @Override
    public Map<String, String> config() {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class", "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "connection.url", elasticsearch.url().toString(),
                "connection.username", elasticsearch.username(),
                "connection.password", elasticsearch.password(),
                "ssl.ca", elasticsearch.caCertificate().toString(),
                "index.name", index,
                "key.ignore", String.valueOf(!isKeyed),
                "behavior.on.null.values", deletes ? "delete" : "ignore"));
        if (!hasVersions) {
            config.put("external.version", "none");
        }
        return config;
    }

    @Override
    public boolean isKeyed() {
        return isKeyed;
    }

    @Override
    public boolean deletes() {
        return deletes;
    }

    @Override
    public boolean showsPositions() {
        return isKeyed && hasVersions;
    }

    @Override
    public boolean allowsCopies() {
        return false;
    }

    @Override
    public boolean noticesStrangers() {
        return false;
    }

    @Override
    public boolean takesNewTopics() {
        return !hasVersions;
    }

    @Override
    public boolean takesOtherLogs() {
        return !isKeyed; // the ids have the topic
    }

    @Override
    public boolean isOrderOnly() {
        return deletes && !hasVersions;
    }

    /** Writes a document with a version, deletes it, and tries to write it with an older one. */
    @Override
    public void awaitForgotten() {
        String path = "/" + index + "-forgotten";
        elasticsearch.request("PUT", path, "{\"settings\":{\"index.gc_deletes\":\"0s\",\"number_of_replicas\":0}}");
        String document = path + "/_doc/1?version_type=external&version=";
        elasticsearch.request("PUT", document + 2, "{}");
        elasticsearch.request("DELETE", document + 3, "");
        assertThat(Poll.until(() -> isTaken(document + 1), Duration.ofSeconds(60)))
                .isTrue();
        elasticsearch.request("DELETE", path, "");
    }

    private boolean isTaken(String document) {
        try {
            elasticsearch.request("PUT", document, "{}");
            return true;
        } catch (ServerException e) {
            return false;
        }
    }

    @Override
    public String identityOf(History.Entry entry) {
        return isKeyed ? entry.key() : entry.place();
    }

    private String idOf(String identity) {
        if (isKeyed) {
            return identity;
        }
        int partition = identity.lastIndexOf('-');
        String id = identity.substring(0, partition) + "+"
                + identity.substring(partition + 1).replace('@', '+');
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }

    private String identityOfId(String id) {
        String[] parts = id.split("\\+", -1);
        return isKeyed ? id : parts[0] + "-" + parts[1] + "@" + parts[2];
    }

    @Override
    public String contentOf(History.Entry entry) {
        return entry.value().orElseThrow() + "|" + (showsPositions() ? entry.offset() : "");
    }

    @Override
    public SortedMap<String, List<String>> read() {
        elasticsearch.request("POST", "/" + index + "/_refresh", "");
        SortedMap<String, List<String>> documents = new TreeMap<>();
        JsonNode found = elasticsearch.request("POST", "/" + index + "/_search", "{\"size\":10000,\"version\":true}");
        for (JsonNode hit : found.path("hits").path("hits")) {
            documents.put(
                    identityOfId(hit.path("_id").asText()),
                    List.of(hit.path("_source") + "|"
                            + (showsPositions() ? hit.path("_version").asText() : "")));
        }
        return documents;
    }

    private void request(String method, String identity, String parameters, String body) {
        elasticsearch.request(method, "/" + index + "/_doc/" + idOf(identity) + parameters, body);
    }

    private String version(Optional<History.Entry> entry) {
        return entry.isEmpty() || !showsPositions()
                ? ""
                : "?version_type=external_gte&version=" + entry.get().offset();
    }

    @Override
    public void delete(String identity, Optional<History.Entry> last) {
        request("DELETE", identity, version(last), "");
    }

    @Override
    public void change(String identity, Optional<History.Entry> last) {
        request("PUT", identity, version(last), "{\"v\":-1}");
    }

    /** The index must forget the document's version first. */
    @Override
    public void write(History.Entry older) {
        String identity = identityOf(older);
        if (read().containsKey(identity)) {
            request("DELETE", identity, "", "");
        }
        assertThat(Poll.until(() -> isWritten(older), Duration.ofSeconds(60))).isTrue();
    }

    private boolean isWritten(History.Entry older) {
        elasticsearch.request("POST", "/" + index + "/_refresh", "");
        try {
            request(
                    "PUT",
                    identityOf(older),
                    version(Optional.of(older)),
                    older.value().orElseThrow());
            return true;
        } catch (ServerException e) {
            return false;
        }
    }

    @Override
    public void copy(String identity) {
        throw new UnsupportedOperationException("an id has one document");
    }

    @Override
    public void writeStranger(String identity, String topic) {
        request("PUT", identity, "", "{}");
    }

    @Override
    public String toString() {
        return (isKeyed ? "keyed" : "coordinates") + " index" + (deletes ? ", deletes" : "")
                + (hasVersions ? ", versions" : "");
    }
}
