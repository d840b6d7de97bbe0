package io.tidegate.connect.common.envelope;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidegate.connect.common.document.ByteSlice;
import io.tidegate.connect.common.document.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** JSON strings whose content is JSON again. Pure. */
final class JsonText {
    /** As in {@code FieldReader}: Kafka and the server set the bounds. Only the depth has the bound of the cursor. */
    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonCursor.MAX_DEPTH)
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
    static String of(ByteSlice string) {
        if (isPlain(string)) {
            return new String(string.array(), string.from() + 1, string.length() - 2, StandardCharsets.US_ASCII);
        }
        try (JsonParser parser = FACTORY.createParser(string.array(), string.from(), string.length())) {
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                throw NotAnEvent.because("a text is no JSON string");
            }
            return parser.getText();
        } catch (JsonProcessingException e) {
            throw NotAnEvent.because("a text is no JSON string"); // Jackson's message would quote the value
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
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
    static boolean isJson(ByteSlice text) {
        try (JsonParser parser = FACTORY.createParser(text.array(), text.from(), text.length())) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }
}
