package io.tidegate.connect.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** Reads what a user has written, and says in one line what is wrong with it. */
public final class YamlFile {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private YamlFile() {}

    /** Keys and values; no others than the known ones at the top. */
    public static JsonNode read(Path file, Set<String> known) throws ToolException {
        JsonNode yaml = read(file);
        requireKeys(file, yaml, known);
        return yaml;
    }

    /** Whatever the file holds; JSON is YAML. */
    public static JsonNode read(Path file) throws ToolException {
        try {
            return YAML.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new ToolException(file + ": is not YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getClass().getSimpleName(), e);
        }
    }

    /** For a part of the file: a misspelt key would otherwise be ignored silently. */
    public static void requireKeys(Path file, JsonNode node, Set<String> known) throws ToolException {
        if (!node.isObject()) {
            throw new ToolException(file + ": is not a list of keys and values");
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!known.contains(entry.getKey())) {
                throw new ToolException(file + ": there is no \"" + entry.getKey() + "\"; there are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }
}
