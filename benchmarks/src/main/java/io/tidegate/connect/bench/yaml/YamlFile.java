package io.tidegate.connect.bench.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** Reads a user's YAML file. An error in it becomes a one-line message. */
public final class YamlFile {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private YamlFile() {}

    /** Reads an object with no other top-level keys than the known ones. */
    public static JsonNode read(Path file, Set<String> known) throws ToolException {
        JsonNode yaml = read(file);
        requireKeys(file, yaml, known);
        return yaml;
    }

    /** Reads any YAML. JSON is a subset of YAML. */
    public static JsonNode read(Path file) throws ToolException {
        try {
            return YAML.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new ToolException(file + ": is not YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getClass().getSimpleName(), e);
        }
    }

    /** The number at a key; the default if the object does not have the key. */
    public static double number(Path file, JsonNode node, String key, double byDefault) throws ToolException {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isNumber()) {
            throw new ToolException(file + ": " + key + " must be a number, not " + value);
        }
        return value.asDouble(byDefault);
    }

    /** Fails on an unknown key of an object. Otherwise a misspelt key would be ignored. */
    public static void requireKeys(Path file, JsonNode node, Set<String> known) throws ToolException {
        if (!node.isObject()) {
            throw new ToolException(file + ": is not a list of keys and values");
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!known.contains(entry.getKey())) {
                throw new ToolException(file + ": unknown key \"" + entry.getKey() + "\"; the keys are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }
}
