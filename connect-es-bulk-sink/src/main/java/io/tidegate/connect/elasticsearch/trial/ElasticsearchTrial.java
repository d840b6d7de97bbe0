package io.tidegate.connect.elasticsearch.trial;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.client.UnreadableResponseException;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import io.tidegate.connect.elasticsearch.write.Judged;
import io.tidegate.connect.elasticsearch.write.Sender;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The writer of a lane, whose documents the server only simulates, each alone: nothing is changed. One thread uses it.
 *
 * <p>Source: Elasticsearch's documentation of "Simulate data ingestion" ({@code _ingest/_simulate}), which runs the
 * pipelines and, from 8.17 on, checks each document against the mapping that its index has or would get.
 */
public final class ElasticsearchTrial implements TrialWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String REQUEST = "a simulation";

    /** How pipelines and the mapping change a document: what the server calls it, and what people do. */
    private static final Map<String, String> CHANGES = Map.of(
            "executed_pipelines", "pipelines",
            "_index", "index after pipelines",
            "_source", "source after pipelines",
            "ignored_fields", "ignored fields");

    private static final List<String> OF_PIPELINES =
            List.of("pipelines", "index after pipelines", "source after pipelines");

    private final ElasticsearchSession session;
    private final BulkBody body;
    private final IndexSettings index;
    private final BatchWriter writer;
    private final Set<String> limits = new LinkedHashSet<>();
    private final Map<Document, Map<String, String>> changes = new HashMap<>();

    /**
     * A trial.
     *
     * @param body makes the documents; not the writer's
     * @param writer makes a writer that sends in this way
     */
    public ElasticsearchTrial(
            ElasticsearchSession session, BulkBody body, IndexSettings index, Function<Sender, BatchWriter> writer) {
        this.session = requireNonNull(session, "session");
        this.body = requireNonNull(body, "body");
        this.index = requireNonNull(index, "index");
        this.writer = writer.apply(this::simulate);
        if (index.definitionFile().isPresent() || index.templateFile().isPresent()) {
            limits.add(
                    "The real run may also create an index or a template: documents were checked against the index and"
                            + " templates as they are now.");
        }
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        return writer.write(documents);
    }

    @Override
    public Map<String, Object> describe(Document document) {
        Map<String, Object> sketch = describe(body, document);
        sketch.putAll(changes.getOrDefault(document, Map.of()));
        return sketch;
    }

    /** The lines of a document in a bulk request. */
    public static Map<String, Object> describe(BulkBody body, Document document) {
        Map<String, Object> sketch = new LinkedHashMap<>();
        sketch.put("index", document.destination());
        if (document.hasKey()) {
            sketch.put("id", new String(document.key(), StandardCharsets.UTF_8));
        }
        try {
            body.clear();
            body.add(document);
            String[] lines = body.text().split("\n", 2);
            sketch.put("action", lines[0]);
            if (!lines[1].isEmpty()) {
                sketch.put("source", lines[1].stripTrailing());
            }
        } catch (RefusedException e) {
            // The refusal says why there is no line.
        }
        return sketch;
    }

    /** What was not asked; each is a sentence. */
    @Override
    public List<String> limits() {
        return List.copyOf(limits);
    }

    private List<Judged> simulate(List<Document> sent) throws RequestFailure {
        List<Judged> failed = new ArrayList<>();
        for (Document document : sent) {
            if (body.methodOf(document) != WriteMethod.DELETE) {
                errorOf(document)
                        .map(error -> new ItemFailure(0, HttpStatus.BAD_REQUEST, error))
                        .ifPresent(item -> failed.add(Judged.of(document, item, body)));
            }
        }
        return failed;
    }

    private Optional<ServerError> errorOf(Document document) throws RequestFailure {
        Optional<String> pipeline = index.pipelineOfAll().or(() -> body.pipelineOf(document));
        try {
            Map<String, String> parameters =
                    pipeline.map(name -> Map.of("pipeline", name)).orElse(Map.of());
            Response response =
                    session.perform(Request.ofJson("POST", "/_ingest/_simulate", parameters, json(document)), REQUEST);
            if (response.isSuccess()) {
                return read(response.content(), document);
            }
            ServerError error = ServerError.read(response.content());
            // A server that does not know the simulation gives no code.
            if (response.status() == HttpStatus.BAD_REQUEST && !error.type().isEmpty()) {
                return Optional.of(error);
            }
            if (isUnasked(response.status())) {
                throw RequestFailure.of(REQUEST, response);
            }
            limits.add("The server did not simulate the requests, so it was not asked about the documents: status "
                    + response.status() + ", " + error + ".");
            return Optional.empty();
        } catch (IOException e) {
            throw RequestFailure.of(REQUEST, new UnreadableResponseException(e));
        }
    }

    /** Whether the server, or a gateway, may answer the same request later, or a smaller one. */
    private static boolean isUnasked(int status) {
        return status == HttpStatus.CONTENT_TOO_LARGE
                || HttpStatus.isOfGateway(status)
                || (HttpStatus.isTemporary(status) && status < HttpStatus.INTERNAL_SERVER_ERROR);
    }

    private byte[] json(Document document) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeArrayFieldStart("docs");
            out.writeStartObject();
            out.writeStringField("_index", document.destination());
            if (document.hasKey()) {
                out.writeStringField("_id", new String(document.key(), StandardCharsets.UTF_8));
            }
            out.writeFieldName("_source");
            out.writeRawValue(body.sourceOf(document));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads {@code {"docs": [{"doc": {..}}]}}. */
    private Optional<ServerError> read(InputStream content, Document document) throws IOException {
        limits.add("Elasticsearch simulated the requests, each document alone and against the mapping as it is now: a"
                + " field that an earlier record would add to the mapping is not known to later ones. It did not"
                + " compare versions or look for existing ids, and deletions were not checked. Before 8.17 it may run"
                + " pipelines only, and check no document against the mapping.");
        try (JsonParser parser = JSON.createParser(content)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT && "doc".equals(parser.currentName())) {
                    return readDocument(parser, document);
                }
            }
        }
        throw new IOException("the answer to " + REQUEST + " has no document");
    }

    private Optional<ServerError> readDocument(JsonParser parser, Document document) throws IOException {
        Optional<ServerError> error = Optional.empty();
        Map<String, String> found = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            if (name.equals("error")) {
                error = Optional.of(ServerError.read(parser));
            } else if (CHANGES.containsKey(name)) {
                found.put(CHANGES.get(name), copy(parser));
            } else {
                parser.skipChildren();
            }
        }
        if (found.getOrDefault("pipelines", "[]").equals("[]")) {
            found.keySet().removeAll(OF_PIPELINES);
        }
        changes.put(document, found);
        return error;
    }

    private static String copy(JsonParser parser) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
    }
}
