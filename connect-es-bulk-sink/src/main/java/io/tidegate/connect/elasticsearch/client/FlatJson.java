package io.tidegate.connect.elasticsearch.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers, strings and booleans of a small answer by where they stand, as JSON pointers (RFC 6901). An empty object is
 * there as {@code {}}.
 */
public final class FlatJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private FlatJson() {}

    /** As far as it is JSON. */
    public static Map<String, String> read(InputStream content) {
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(content)) {
            JsonToken before = null;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                boolean isEmpty = token == JsonToken.END_OBJECT && before == JsonToken.START_OBJECT;
                if (token.isScalarValue() || isEmpty) {
                    values.put(
                            parser.getParsingContext().pathAsPointer().toString(), isEmpty ? "{}" : parser.getText());
                }
                before = token;
            }
            return values;
        } catch (IOException e) {
            return values;
        }
    }
}
