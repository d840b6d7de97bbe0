package io.tidegate.connect.bench.connector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a connector's JSON as it is posted to a worker ({@code {"name": .., "config": {..}}}). It may have more fields:
 * {@code plugin} (a folder, relative to the checkout), {@code maven} (coordinates), {@code table} ({@code name},
 * {@code create}, {@code count}), {@code index} (settings and mappings), {@code about} (a comment) and {@code like}. {@code like}
 * names another file in the same folder; then this file holds only the differences, and null removes a setting.
 */
final class ConnectorFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> FIELDS =
            Set.of("name", "like", "config", "plugin", "maven", "table", "index", "about");
    private static final String CLASS = "connector.class";

    /** The base of a file without {@code like}. */
    private static final ConnectorSpec BLANK =
            new ConnectorSpec("", Optional.empty(), List.of(), Map.of(), Table.PLAIN, "");

    private ConnectorFile() {}

    static ConnectorSpec read(Path file, Path root) throws ToolException {
        JsonNode json = parse(file);
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!FIELDS.contains(field.getKey())) {
                throw invalid(file, "has the unknown field \"" + field.getKey() + "\"");
            }
        }
        ConnectorSpec base =
                json.has("like") ? read(file.resolveSibling(json.path("like").asText() + ".json"), root) : BLANK;
        return new ConnectorSpec(
                json.path("name").asText(baseName(file)),
                Optional.of(json.path("plugin").asText())
                        .filter(text -> !text.isEmpty())
                        .map(root::resolve)
                        .or(base::plugin),
                json.has("maven") ? texts(json.path("maven")) : base.maven(),
                config(file, json.path("config"), base.config()),
                json.has("table") ? table(file, json.path("table")) : base.table(),
                json.has("index") ? json.path("index").toString() : base.indexDefinition());
    }

    private static JsonNode parse(Path file) throws ToolException {
        try {
            JsonNode json = JSON.readTree(Files.readString(file));
            if (!json.isObject()) {
                throw invalid(file, "is not a JSON object");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw invalid(file, "is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getClass().getSimpleName(), e);
        }
    }

    private static Map<String, String> config(Path file, JsonNode node, Map<String, String> base) throws ToolException {
        Map<String, String> config = new LinkedHashMap<>(base);
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getValue().isNull()) {
                config.remove(entry.getKey());
            } else {
                config.put(entry.getKey(), entry.getValue().asText());
            }
        }
        if (!config.containsKey(CLASS)) {
            throw invalid(file, "has no config with a " + CLASS);
        }
        return config;
    }

    private static Table table(Path file, JsonNode node) throws ToolException {
        Table table = new Table(
                node.path("name").asText(),
                texts(node.path("create")),
                node.path("count").asText());
        if (table.name().isEmpty() || table.create().isEmpty()) {
            throw invalid(file, "has a table without a name or without statements to create it");
        }
        return table;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(node -> texts.add(node.asText()));
        return List.copyOf(texts);
    }

    private static String baseName(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
    }

    private static ToolException invalid(Path file, String what) {
        return new ToolException(file + ": " + what);
    }
}
