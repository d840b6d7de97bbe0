package io.tidegate.connect.jsonb.field;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A JSON array as the text of a PostgreSQL array. Source: PostgreSQL documentation, "Array Input and Output Syntax". */
final class ArrayText {
    /** What strings in an array become. */
    enum Strings {
        /** Their characters. */
        TEXT,
        /** JSON. */
        JSON,
        /** The JSON that they contain; JSON of a string that contains none. */
        CONTAINED_JSON,
        /** The bytes for which they stand; the characters of a string that is no Base64. */
        BASE64
    }

    /**
     * What elements of an array become. One that is an object stays JSON.
     *
     * @param characters what happens to those of contained JSON that cannot be stored
     */
    record Elements(Strings strings, UnaryOperator<String> numbers, UnstorableCharacters characters) {}

    private ArrayText() {}

    /** Writes the array between the indexes, which is valid JSON. */
    static void put(byte[] json, int from, int to, Elements elements, ByteArena out) {
        FieldEncoder.requireStorable(ByteSlice.of(json, from, to));
        StringBuilder text = new StringBuilder(to - from + Integer.BYTES);
        try (JsonParser parser = JsonText.FACTORY.createParser(json, from, to - from)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.END_ARRAY) {
                    text.append('}');
                    continue;
                }
                separate(text);
                if (token == JsonToken.START_ARRAY) {
                    text.append('{');
                } else if (token == JsonToken.VALUE_NULL) {
                    text.append("NULL");
                } else {
                    quote(element(token, parser, json, from, elements), text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the JSON was checked
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        out.put(bytes, 0, bytes.length);
    }

    private static String element(JsonToken token, JsonParser parser, byte[] json, int from, Elements elements)
            throws IOException {
        if (token == JsonToken.START_OBJECT) {
            return json(parser, json, from);
        }
        if (token != JsonToken.VALUE_STRING) {
            return token.isNumeric() ? elements.numbers().apply(parser.getText()) : parser.getText();
        }
        return switch (elements.strings()) {
            case TEXT -> parser.getText();
            case JSON -> json(parser, json, from);
            case BASE64 -> FieldTypes.hexadecimal(parser.getText());
            case CONTAINED_JSON -> {
                String string = json(parser, json, from);
                yield FieldEncoder.jsonOf(parser.getText(), elements.characters())
                        .map(found -> new String(found.bytes(), StandardCharsets.UTF_8))
                        .orElse(string);
            }
        };
    }

    private static void separate(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '{') {
            text.append(',');
        }
    }

    /** The text of an object or a string. */
    private static String json(JsonParser parser, byte[] json, int from) throws IOException {
        int start = from + (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int end = from + (int) parser.currentLocation().getByteOffset();
        return new String(json, start, end - start, StandardCharsets.UTF_8);
    }

    private static void quote(String element, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < element.length(); i++) {
            char c = element.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        text.append('"');
    }
}
