package io.tidegate.connect.lab.tides;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/** Code for both file formats: opens a file, detects its format, and describes an error in one line. */
final class TideFile {
    static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private static final Set<String> NOAA_FIELDS = Set.of("metadata", "data", "error");

    private TideFile() {}

    static InputStream open(Path file) throws ToolException {
        if (Files.isDirectory(file)) {
            throw new ToolException(file + ": is a folder, not a file");
        }
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    static boolean isNoaaResponse(Path file) throws ToolException {
        String name = file.toString();
        if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
            return false;
        }
        try (InputStream in = open(file);
                JsonParser json = JSON.createParser(in)) {
            return json.nextToken() == JsonToken.START_OBJECT
                    && json.nextToken() == JsonToken.FIELD_NAME
                    && NOAA_FIELDS.contains(json.currentName());
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    static ToolException unreadable(Path file, IOException e) {
        String reason = e instanceof NoSuchFileException
                ? "no such file"
                : "cannot be read: " + e.getClass().getSimpleName() + " " + firstLine(String.valueOf(e.getMessage()));
        return new ToolException(file + ": " + reason, e);
    }

    static ToolException malformed(Path file, JsonProcessingException e) {
        JsonLocation at = e.getLocation() == null ? JsonLocation.NA : e.getLocation();
        return new ToolException(at(file, at) + reason(e), e);
    }

    static String at(Path file, JsonLocation at) {
        return file + ":" + at.getLineNr() + ":" + at.getColumnNr() + ": ";
    }

    /** Jackson's message without the position, which it adds in further lines. */
    static String reason(JsonProcessingException e) {
        return e instanceof JsonEOFException
                ? "the JSON ends in the middle of a value"
                : "not JSON: " + firstLine(e.getOriginalMessage());
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }
}
