package io.tidegate.connect.tools.connector;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The JSON that is posted to Connect: {@code {"name": .., "config": {..}}}, or the settings alone, as they are put to
 * {@code /connectors/NAME/config}.
 *
 * @param name of the connector; of settings alone their "name", or else the file's name without its ending
 * @param config the settings with "name", as written: with references to configuration providers
 */
public record ConnectorFile(String name, Map<String, String> config) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final String NAME = "name";
    private static final String CONFIG = "config";

    public ConnectorFile {
        requireNonNull(name, "name");
        config = Map.copyOf(config);
    }

    /**
     * Reads a file.
     *
     * @throws ToolException if Connect would not take it
     */
    public static ConnectorFile read(Path file) throws ToolException {
        try {
            return of(Files.readAllBytes(file), file.toString(), withoutEnding(file));
        } catch (NoSuchFileException e) {
            throw new ToolException("there is no file " + file, e);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the JSON of a connector.
     *
     * @param source names it in errors
     * @param name of the connector if the JSON has none
     * @throws ToolException if Connect would not take it
     */
    static ConnectorFile of(byte[] json, String source, String name) throws ToolException {
        try {
            return of(JSON.readTree(json), source, name);
        } catch (JsonProcessingException e) {
            throw new ToolException(
                    source + " is not JSON: " + e.getOriginalMessage() + " (line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")",
                    e);
        } catch (IOException e) {
            throw new ToolException("cannot read " + source + ": " + e.getMessage(), e);
        }
    }

    private static ConnectorFile of(JsonNode root, String source, String otherwise) throws ToolException {
        if (!root.isObject()) {
            throw new ToolException(
                    source + " is not a connector: it must be a JSON object, {\"name\": .., \"config\": "
                            + "{..}} or the settings alone");
        }
        boolean isPosted = root.path(CONFIG).isObject();
        Map<String, String> config = texts(isPosted ? root.get(CONFIG) : root, source);
        if (!config.containsKey("connector.class")) {
            throw new ToolException(source + " has no connector.class");
        }
        String name = isPosted && root.path(NAME).isTextual()
                ? root.get(NAME).textValue()
                : config.getOrDefault(NAME, otherwise);
        if (!config.getOrDefault(NAME, name).equals(name)) {
            throw new ToolException(
                    source + " has two names: '" + name + "', and '" + config.get(NAME) + "' in \"config\"");
        }
        config.put(NAME, name);
        return new ConnectorFile(name, config);
    }

    private static Map<String, String> texts(JsonNode settings, String source) throws ToolException {
        Map<String, String> texts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> setting : settings.properties()) {
            if (setting.getValue().isContainerNode()) {
                throw new ToolException(
                        source + ": the setting \"" + setting.getKey() + "\" must be a text, not an object or array");
            }
            if (!setting.getValue().isNull()) {
                texts.put(setting.getKey(), setting.getValue().asText());
            }
        }
        return texts;
    }

    private static String withoutEnding(Path file) {
        return file.toAbsolutePath().getFileName().toString().replaceFirst("\\.[^.]*$", "");
    }
}
