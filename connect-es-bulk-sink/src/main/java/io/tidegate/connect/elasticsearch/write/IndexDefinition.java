package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.util.BinaryData;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.config.ConfigException;

/** Settings and mappings, as the user wrote them, for an index or a template that does not exist. */
public final class IndexDefinition {
    private final byte[] json;

    private IndexDefinition(byte[] json) {
        this.json = requireNonNull(json, "json");
    }

    /**
     * Reads a file.
     *
     * @param setting the setting that names the file
     * @throws ConfigException when it cannot be read or is not a JSON object
     */
    public static IndexDefinition read(String setting, Path file) {
        try {
            byte[] json = Files.readAllBytes(file);
            check(json);
            return new IndexDefinition(json);
        } catch (IOException e) {
            throw new ConfigException(setting, file, "it cannot be read as a JSON object: " + e);
        }
    }

    private static void check(byte[] json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not start with `{`");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new IOException("something follows its end");
            }
        }
    }

    /** A name in the form that a path needs. */
    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"); // + is a plus in a path
    }

    BinaryData body() {
        return BinaryData.of(json, "application/json");
    }
}
