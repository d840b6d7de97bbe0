package io.tidegate.connect.jsonb.field;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;
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
        /** The bytes for which they stand; the characters of a string that is no Base64. */
        BASE64
    }

    private ArrayText() {}

    /**
     * Writes the array between the indexes, which is valid JSON. An element that is an object stays JSON.
     *
     * @param numbers what a number becomes
     */
    static void put(byte[] json, int from, int to, Strings strings, UnaryOperator<String> numbers, ByteArena out) {
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
                    quote(element(token, parser, json, from, strings, numbers), text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the JSON was checked
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        out.put(bytes, 0, bytes.length);
    }

    private static String element(
            JsonToken token, JsonParser parser, byte[] json, int from, Strings strings, UnaryOperator<String> numbers)
            throws IOException {
        boolean isString = token == JsonToken.VALUE_STRING;
        if (token == JsonToken.START_OBJECT || (isString && strings == Strings.JSON)) {
            return json(parser, json, from);
        }
        String text = parser.getText();
        if (token.isNumeric()) {
            return numbers.apply(text);
        }
        return isString && strings == Strings.BASE64 ? FieldTypes.hexadecimal(text) : text;
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
