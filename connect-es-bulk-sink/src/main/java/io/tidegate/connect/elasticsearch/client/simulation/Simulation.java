package io.tidegate.connect.elasticsearch.client.simulation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The simulation of one document.
 *
 * @param error as JSON, if the server would refuse it
 * @param changes how pipelines and the mapping change the document: JSON by the server's own names
 */
record Simulation(Optional<String> error, Map<String, Object> changes) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int DEPTH = 4;

    /** The body that asks for a simulation of these. */
    static String request(List<BulkItem> group) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeArrayFieldStart("docs");
            for (BulkItem item : group) {
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
    static List<Simulation> read(byte[] content) throws IOException {
        List<Simulation> documents = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(content)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT && depthOf(parser) == DEPTH) {
                    documents.add(readDocument(parser));
                }
            }
        }
        return documents;
    }

    private static Simulation readDocument(JsonParser parser) throws IOException {
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
        return new Simulation(error, changes);
    }

    /** In {@code {"docs": [{"doc": {..}}]}} the members of a document are below two objects and an array. */
    private static int depthOf(JsonParser parser) {
        int depth = 0;
        for (var context = parser.getParsingContext(); !context.inRoot(); context = context.getParent()) {
            depth++;
        }
        return depth;
    }

    /** The error of an answer as JSON. */
    static String error(byte[] content) throws IOException {
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
}
