package io.tidegate.connect.elasticsearch.client.simulation;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.util.BinaryData;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.elasticsearch.client.ConnectionCounts;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.PendingResponse;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Server;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.client.TransportException;
import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A client that changes nothing: a bulk request becomes a simulation, whose answer looks like that of a bulk request.
 * Other requests that would change something are answered with success and not sent. One thread uses it.
 *
 * <p>Source: Elasticsearch's documentation of "Simulate data ingestion" ({@code _ingest/_simulate}), which runs the
 * pipelines and, from 8.17 on, checks each document against the mapping that its index has or would get.
 */
public final class SimulatingClient implements ElasticsearchClient {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String JSON_TYPE = "application/json";
    private static final String BULK = "/_bulk";
    private static final String SIMULATE = "/_ingest/_simulate";
    private static final int DEPTH = 4;
    private static final int MOST = 100; // documents in a request

    private final ElasticsearchClient client;
    private final Duration limit;
    private final Set<String> limits = new LinkedHashSet<>();
    private final Map<String, Map<String, Object>> changes = new HashMap<>(); // by source

    /** What a bulk request does to one document: the names in its action line, and its source, if it has one. */
    private record Item(String action, Map<String, String> names, Optional<String> source) {}

    /** An error, or how pipelines and the mapping change the document: JSON by the server's own names. */
    private record Simulated(Optional<String> error, Map<String, Object> changes) {}

    /**
     * A client.
     *
     * @param client stays open
     * @param limit for each simulation
     */
    public SimulatingClient(ElasticsearchClient client, Duration limit) {
        this.client = requireNonNull(client, "client");
        this.limit = requireNonNull(limit, "limit");
    }

    /** What was not asked; each is a sentence. */
    public List<String> limits() {
        return List.copyOf(limits);
    }

    /** How pipelines and the mapping change the document with this source: JSON by the server's own names. */
    public Map<String, Object> changes(String source) {
        return changes.getOrDefault(source, Map.of());
    }

    @Override
    public PendingResponse send(Request request) {
        boolean isReading = request.method().equals("GET") || request.method().equals("HEAD");
        if (isReading) {
            return client.send(request);
        }
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try {
            answer.complete(
                    request.path().equals(BULK)
                            ? simulated(request)
                            : skipped(request.method() + " " + request.path()));
        } catch (IOException e) {
            answer.completeExceptionally(e);
        } catch (TransportException e) {
            answer.completeExceptionally(e.getCause());
        }
        return new PendingResponse(answer, () -> answer.cancel(true));
    }

    private Response skipped(String what) {
        limits.add("The real run also sends " + what + ", which was not sent: documents were checked against the index"
                + " and templates as they are now.");
        return response(HttpStatus.OK, "{}");
    }

    private Response simulated(Request bulk) throws IOException, TransportException {
        if (server().map(Server::product).orElse(Server.Product.ELASTICSEARCH) == Server.Product.OPENSEARCH) {
            limits.add("OpenSearch has no simulation that checks mappings: it was not asked about the documents.");
            return answer(items(bulk), Map.of());
        }
        List<Item> items = items(bulk);
        Map<Item, String> errors = new HashMap<>();
        for (List<Item> group : groups(items)) {
            String pipeline = pipelineOf(group.get(0));
            simulate(group, pipeline.isEmpty() ? bulk.parameters().getOrDefault("pipeline", "") : pipeline, errors);
        }
        return answer(items, errors);
    }

    /** Items with a source, in their order, and those of a request with the same pipeline. */
    private static List<List<Item>> groups(List<Item> items) {
        List<List<Item>> groups = new ArrayList<>();
        for (Item item : items) {
            if (item.source().isEmpty()) {
                continue;
            }
            List<Item> last = groups.isEmpty() ? List.of() : groups.get(groups.size() - 1);
            if (last.isEmpty()
                    || last.size() == MOST
                    || !pipelineOf(last.get(0)).equals(pipelineOf(item))) {
                last = new ArrayList<>();
                groups.add(last);
            }
            last.add(item);
        }
        return groups;
    }

    private static String pipelineOf(Item item) {
        return item.names().getOrDefault("pipeline", "");
    }

    /** The server reads a whole request before all else, so one bad document would hide the others: each is then alone. */
    private void simulate(List<Item> group, String pipeline, Map<Item, String> errors)
            throws IOException, TransportException {
        BinaryData body = BinaryData.of(documents(group).getBytes(StandardCharsets.UTF_8), JSON_TYPE);
        Map<String, String> parameters = pipeline.isEmpty() ? Map.of() : Map.of("pipeline", pipeline);
        Response response = client.send(new Request("POST", SIMULATE, parameters, Optional.of(body), false))
                .await(limit);
        byte[] content = response.content().readAllBytes();
        if (response.isSuccess()) {
            accept(group, read(content), errors);
            return;
        }
        ServerError error = ServerError.read(new ByteArrayInputStream(content));
        // An older server, which does not know the simulation, gives no code.
        boolean isOfDocument =
                response.status() == HttpStatus.BAD_REQUEST && !error.type().isEmpty();
        if (isOfDocument && group.size() > 1) {
            for (Item item : group) {
                simulate(List.of(item), pipeline, errors);
            }
        } else if (isOfDocument) {
            errors.put(group.get(0), rawError(content));
        } else {
            limits.add("Elasticsearch did not simulate the requests, so it was not asked about the documents: status "
                    + response.status() + ", " + error + ".");
        }
    }

    private void accept(List<Item> group, List<Simulated> simulated, Map<Item, String> errors) throws IOException {
        if (simulated.size() != group.size()) {
            throw new IOException(
                    "the answer to a simulation of " + group.size() + " documents tells of " + simulated.size());
        }
        for (int i = 0; i < group.size(); i++) {
            Item item = group.get(i);
            simulated.get(i).error().ifPresent(error -> errors.put(item, error));
            changes.put(item.source().orElseThrow(), simulated.get(i).changes());
        }
        limits.add("Elasticsearch simulated the requests, each document alone and against the mapping as it is now: a"
                + " field that an earlier record would add to the mapping is not known to later ones. It did not"
                + " compare versions or look for existing ids, and deletions were not checked.");
        String version = server().map(Server::version).orElse("");
        if (version.matches("8\\.1?\\d\\..*") && !version.matches("8\\.1[7-9]\\..*")) {
            limits.add(
                    "Elasticsearch " + version + " runs pipelines in a simulation, but may not check documents against"
                            + " the mapping: 8.17 and later do.");
        }
    }

    private static String documents(List<Item> group) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeArrayFieldStart("docs");
            for (Item item : group) {
                out.writeStartObject();
                out.writeStringField("_index", item.names().getOrDefault("_index", ""));
                if (item.names().containsKey("_id")) {
                    out.writeStringField("_id", item.names().get("_id"));
                }
                out.writeFieldName("_source");
                out.writeRawValue(item.source().orElseThrow());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return text.toString();
    }

    /** What the server says of each document of a simulation. */
    private static List<Simulated> read(byte[] content) throws IOException {
        List<Simulated> documents = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(content)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT && depthOf(parser) == DEPTH) {
                    documents.add(readDocument(parser));
                }
            }
        }
        return documents;
    }

    private static Simulated readDocument(JsonParser parser) throws IOException {
        Optional<String> error = Optional.empty();
        Map<String, Object> changes = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "error" -> error = Optional.of(copy(parser));
                case "_index", "_source", "executed_pipelines", "ignored_fields" -> changes.put(name, copy(parser));
                default -> parser.skipChildren();
            }
        }
        if (changes.getOrDefault("executed_pipelines", "[]").equals("[]")) {
            changes.keySet().removeAll(List.of("_index", "_source", "executed_pipelines"));
        }
        return new Simulated(error, changes);
    }

    /** In {@code {"docs": [{"doc": {..}}]}} the members of a document are below two objects and an array. */
    private static int depthOf(JsonParser parser) {
        int depth = 0;
        for (var context = parser.getParsingContext(); !context.inRoot(); context = context.getParent()) {
            depth++;
        }
        return depth;
    }

    private static String rawError(byte[] content) throws IOException {
        try (JsonParser parser = JSON.createParser(content)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("error")) {
                    parser.nextToken();
                    return copy(parser);
                }
            }
            return "{}";
        }
    }

    private static String copy(JsonParser parser) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    private static List<Item> items(Request bulk) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bulk.body().orElseThrow().writeTo(bytes);
        List<Item> items = new ArrayList<>();
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Map<String, String> names = new HashMap<>();
            String action = action(lines.get(i), names);
            boolean hasSource = !action.equals("delete");
            Optional<String> source = hasSource ? Optional.of(lines.get(++i)) : Optional.empty();
            items.add(new Item(action, names, action.equals("update") ? source.map(SimulatingClient::merged) : source));
        }
        return items;
    }

    private static String action(String line, Map<String, String> names) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            String action = parser.nextFieldName();
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                names.put(name, parser.getValueAsString(""));
            }
            return action;
        }
    }

    /** The document in the line of an update: {@code {"doc":..}} or {@code {"doc":..,"doc_as_upsert":true}}. */
    private static String merged(String line) {
        int end = line.endsWith(",\"doc_as_upsert\":true}")
                ? line.length() - ",\"doc_as_upsert\":true}".length()
                : line.length() - 1;
        return line.substring("{\"doc\":".length(), end);
    }

    private static Response answer(List<Item> items, Map<Item, String> errors) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeBooleanField("errors", true);
            out.writeArrayFieldStart("items");
            for (Item item : items) {
                Optional<String> error = Optional.ofNullable(errors.get(item));
                out.writeStartObject();
                out.writeObjectFieldStart(item.action());
                out.writeNumberField("status", error.isPresent() ? HttpStatus.BAD_REQUEST : HttpStatus.OK);
                if (error.isPresent()) {
                    out.writeFieldName("error");
                    out.writeRawValue(error.get());
                }
                out.writeEndObject();
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return response(HttpStatus.OK, text.toString());
    }

    private static Response response(int status, String json) {
        return new Response(
                status, Optional.empty(), true, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public PendingResponse askForServer() {
        return client.askForServer();
    }

    @Override
    public boolean learn(Response root) {
        return client.learn(root);
    }

    @Override
    public Optional<Server> server() {
        return client.server();
    }

    @Override
    public boolean forgetCredentials() {
        return client.forgetCredentials();
    }

    @Override
    public ConnectionCounts connections() {
        return client.connections();
    }

    @Override
    public CertificateExpiry certificates() {
        return client.certificates();
    }

    @Override
    public void close() {
        // The client belongs to the target.
    }
}
