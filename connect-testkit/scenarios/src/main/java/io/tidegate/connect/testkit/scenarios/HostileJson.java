package io.tidegate.connect.testkit.scenarios;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Values that look like JSON and often are not quite: objects drawn from a seed, most of them with a fault, of the kinds
 * that public collections of tests for JSON parsers hold. Stateless.
 */
public final class HostileJson {
    private static final JsonFactory STRICT = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Any escape; the group is there for half a surrogate pair. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", Pattern.DOTALL);

    private static final int MAX_DEPTH = 5;

    private static final String[] SCALARS = {
        "0",
        "-0",
        "1",
        "-12",
        "0.5",
        "1e5",
        "1E-5",
        "-1.50E+10",
        "1e400",
        "123456789012345678901234567890",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "\"é€🌊\"",
        "\"\\u00e9\\n\\\\\\\"\\/\"",
        "\"\\ud83c\\udf0a\"",
        "\"\\u0000\"",
        "\"\\ud83c\"",
        "\"\\udf0a\"",
        "\" } ] \\\" { [ \"",
        "\"//*\""
    };

    private static final String[] SPACES = {"", "", "", " ", "\t", "\n", "\r\n", "  "};

    /** Pieces that are wrong in most places, and right in some. */
    private static final String[] PIECES = {
        ",",
        ":",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "\\u",
        "\\u12",
        "\\x",
        "'",
        "-",
        "+",
        ".",
        "e",
        "E5",
        "0",
        "00",
        "01",
        "1.",
        ".5",
        "1e",
        "0x1",
        "NaN",
        "Infinity",
        "tru",
        "nul",
        "True",
        "undefined",
        "//",
        "/**/",
        "#",
        ";",
        "=",
        "(",
        "\n",
        "\r",
        "\t",
        " ",
        "\f",
        "\u000b",
        "\u0000",
        "\u0001",
        "\u001f",
        "\u007f",
        "\u0085",
        "\u00a0",
        "\u2028",
        "\ufeff",
        "{}",
        "[]",
        "null",
        "\"a\":1",
        "\\u0000",
        "\\ud83c",
        "\n{\"delete\":{}}\n",
        "🌊"
    };

    private HostileJson() {}

    /** So many values, the same ones for the same seed. */
    public static Stream<byte[]> values(long seed, int count) {
        Random random = new Random(seed);
        return Stream.generate(() -> value(random)).limit(count);
    }

    private static byte[] value(Random random) {
        StringBuilder json = new StringBuilder();
        space(random, json);
        if (random.nextInt(8) == 0) {
            any(random, json, 0);
        } else {
            object(random, json, 0);
        }
        space(random, json);
        byte[] bytes = json.toString().getBytes(UTF_8);
        for (int fault = random.nextInt(3); fault > 0; fault--) {
            bytes = damaged(random, bytes);
        }
        return bytes;
    }

    private static byte[] damaged(Random random, byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = Math.min(bytes.length, at + random.nextInt(4));
        return switch (random.nextInt(6)) {
            case 0 -> joined(bytes, at, PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8), at);
            case 1 -> joined(bytes, at, PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8), end);
            case 2 -> joined(bytes, at, new byte[0], end);
            case 3 -> joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at);
            case 4 -> joined(bytes, at, new byte[0], bytes.length); // cut off
            default -> joined(bytes, at, bytes, at); // one in the other
        };
    }

    private static byte[] joined(byte[] bytes, int to, byte[] between, int from) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, to);
        out.writeBytes(between);
        out.write(bytes, from, bytes.length - from);
        return out.toByteArray();
    }

    private static void any(Random random, StringBuilder json, int depth) {
        int kind = depth == MAX_DEPTH ? 0 : random.nextInt(4);
        if (kind == 3) {
            object(random, json, depth);
        } else if (kind == 2) {
            json.append('[');
            for (int i = random.nextInt(4); i > 0; i--) {
                space(random, json);
                any(random, json, depth + 1);
                space(random, json);
                json.append(i > 1 ? "," : "");
            }
            json.append(']');
        } else {
            json.append(SCALARS[random.nextInt(SCALARS.length)]);
        }
    }

    private static void object(Random random, StringBuilder json, int depth) {
        json.append('{');
        for (int i = random.nextInt(4); i > 0; i--) {
            space(random, json);
            json.append(random.nextInt(20) == 0 ? "\"\\u0000\"" : "\"n" + random.nextInt(3) + '"');
            space(random, json);
            json.append(':');
            space(random, json);
            any(random, json, depth + 1);
            space(random, json);
            json.append(i > 1 ? "," : "");
        }
        json.append('}');
    }

    private static void space(Random random, StringBuilder json) {
        json.append(SPACES[random.nextInt(SPACES.length)]);
    }

    /**
     * Whether this is one JSON text in UTF-8, as Jackson's parser understands RFC 8259 without any leniency. The grammar
     * allows the escape of half a surrogate pair; Jackson does not in names.
     */
    public static boolean isJson(byte[] bytes) {
        try (JsonParser parser = STRICT.createParser(
                withoutHalves(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()))) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        } catch (CharacterCodingException e) {
            return false;
        } catch (IOException e) {
            return false; // not JSON
        }
    }

    private static String withoutHalves(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(escape -> escape.group(1) == null
                        ? Matcher.quoteReplacement(escape.group())
                        : Matcher.quoteReplacement("\\u0041"));
    }
}
