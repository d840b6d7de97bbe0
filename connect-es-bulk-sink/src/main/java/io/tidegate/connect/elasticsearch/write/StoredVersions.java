package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The versions that documents have in their indexes. A lane's thread uses it. Source: Elasticsearch's reference, "Multi get". */
final class StoredVersions {
    /** Errors after which there is no document, or none that may be read. */
    private static final Set<String> FINAL = Set.of("index_not_found_exception", "security_exception");

    private final ElasticsearchSession session;
    private final BulkBody body;

    StoredVersions(ElasticsearchSession session, BulkBody body) {
        this.session = requireNonNull(session, "session");
        this.body = requireNonNull(body, "body");
    }

    /**
     * Asks for all of them in one request.
     *
     * @return those of the documents that exist; none without the privilege to read
     * @throws RequestFailure when the server cannot be asked now
     */
    Map<Document, Long> of(List<Document> documents, String description) throws RequestFailure {
        return versions(documents, answer(documents, description));
    }

    /** The same, but it also fails when a shard does not answer, because its document may exist. */
    Map<Document, Long> ofAll(List<Document> documents, String description) throws RequestFailure {
        Map<String, String> answer = answer(documents, description);
        for (int i = 0; i < documents.size(); i++) {
            String error = answer.getOrDefault("/docs/" + i + "/error/type", "");
            if (!error.isEmpty() && !FINAL.contains(error)) {
                throw RequestFailure.of(description, new IOException(error));
            }
        }
        return versions(documents, answer);
    }

    /** By JSON pointer. */
    private Map<String, String> answer(List<Document> documents, String description) throws RequestFailure {
        if (documents.isEmpty()) {
            return Map.of();
        }
        byte[] json = documents.stream()
                .map(this::place)
                .collect(joining(",", "{\"docs\":[", "]}"))
                .getBytes(StandardCharsets.UTF_8);
        Response response =
                session.perform(Request.ofJson("POST", "/_mget", Map.of("_source", "false"), json), description);
        if (HttpStatus.isTemporary(response.status())) {
            throw RequestFailure.of(description, response);
        }
        return response.isSuccess() ? FlatJson.read(response.content()) : Map.of();
    }

    /** The answer has the order of the question. */
    private static Map<Document, Long> versions(List<Document> documents, Map<String, String> answer) {
        Map<Document, Long> versions = new HashMap<>();
        for (int i = 0; i < documents.size(); i++) {
            String version = answer.get("/docs/" + i + "/_version");
            if (version != null && "true".equals(answer.get("/docs/" + i + "/found"))) {
                versions.put(documents.get(i), Long.parseLong(version));
            }
        }
        return versions;
    }

    /** The document is in the shard of its routing. */
    private String place(Document document) {
        String id = new String(document.key(), StandardCharsets.UTF_8);
        return "{\"_index\":" + quoted(document.destination()) + ",\"_id\":" + quoted(id)
                + body.routingOf(document)
                        .map(routing -> ",\"routing\":" + quoted(routing))
                        .orElse("")
                + '}';
    }

    private static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
