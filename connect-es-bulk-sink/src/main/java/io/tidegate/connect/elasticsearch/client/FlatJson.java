package io.tidegate.connect.elasticsearch.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers, strings and booleans of a small answer by where they stand, as JSON pointers (RFC 6901). */
public final class FlatJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private FlatJson() {}

    /** As far as it is JSON. */
    public static Map<String, String> read(InputStream content) {
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(content)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    values.put(parser.getParsingContext().pathAsPointer().toString(), parser.getText());
                }
            }
            return values;
        } catch (IOException e) {
            return values;
        }
    }
}
