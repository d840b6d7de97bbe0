package io.tidegate.connect.common.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Parts of a JSON text that are read as Jackson reads them. Pure. */
public final class JsonText {
    public static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // it fills a table of the whole JVM with skipped names
            .streamReadConstraints(StreamReadConstraints.builder() // Kafka and the server set the bounds
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonText() {}

    /**
     * The content of a JSON string.
     *
     * @throws RefusedException when it is none
     */
    public static String of(ByteSlice string) {
        if (isPlain(string)) {
            return new String(string.array(), string.from() + 1, string.length() - 2, StandardCharsets.US_ASCII);
        }
        try (JsonParser parser = FACTORY.createParser(string.array(), string.from(), string.length())) {
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                throw malformed();
            }
            return parser.getText();
        } catch (JsonProcessingException e) {
            throw malformed(); // Jackson's message would quote the value
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    private static RefusedException malformed() {
        return new RefusedException("the value is not valid JSON: a string in it is malformed");
    }

    /** Whether it is ASCII without an escape. */
    private static boolean isPlain(ByteSlice string) {
        for (int i = string.from(); i < string.to(); i++) {
            byte c = string.array()[i];
            if (c < ' ' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Whether these bytes are exactly one JSON value. */
    public static boolean isJson(ByteSlice text) {
        try {
            new JsonCursor().check(text);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }
}
