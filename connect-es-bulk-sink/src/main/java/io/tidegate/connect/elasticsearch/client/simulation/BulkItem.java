package io.tidegate.connect.elasticsearch.client.simulation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a bulk request does to one document.
 *
 * @param names in its action line, with their values
 * @param source empty for a deletion
 */
record BulkItem(String action, Map<String, String> names, Optional<String> source) {
    private static final JsonFactory JSON = new JsonFactory();

    /** The pipeline that the action line names; empty if it names none. */
    String pipeline() {
        return names.getOrDefault("pipeline", "");
    }

    /** The items of a bulk request, in their order. */
    static List<BulkItem> of(Request bulk) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bulk.body().orElseThrow().writeTo(bytes);
        List<BulkItem> items = new ArrayList<>();
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Map<String, String> names = new HashMap<>();
            String action = action(lines.get(i), names);
            boolean hasSource = !action.equals("delete");
            Optional<String> source = hasSource ? Optional.of(lines.get(++i)) : Optional.empty();
            items.add(new BulkItem(action, names, action.equals("update") ? source.map(BulkItem::merged) : source));
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

    /**
     * What a bulk request would answer.
     *
     * @param errors the JSON of those that would be refused
     */
    static String answer(List<BulkItem> items, Map<BulkItem, String> errors) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeBooleanField("errors", true);
            out.writeArrayFieldStart("items");
            for (BulkItem item : items) {
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
        return text.toString();
    }
}
