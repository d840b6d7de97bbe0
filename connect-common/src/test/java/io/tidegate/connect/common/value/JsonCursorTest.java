package io.tidegate.connect.common.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import io.tidegate.connect.common.testing.Slices;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonCursorTest {
    private static final String[] PIECES = {
        "\"",
        "\\\"",
        "\\\\",
        "\\",
        "{",
        "}",
        "[",
        "]",
        "Y",
        "y",
        "_",
        "\u007f",
        "#",
        "é",
        "\ud83c\udf0a",
        "a",
        ":",
        ",",
        " "
    };

    private static final String[] CONTENTS = {"a", "é", "\ud83c\udf0a", "\\n", "\\\"", "\\\\", "\\u00e9", "}", " "};

    private final Random random = new Random(7);

    @Test
    void findsTheEndOfAnyNestedValue() {
        int ends = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] json = ("{\"a\":" + text(random.nextInt(200)) + "}").getBytes(UTF_8);
            OptionalInt end = endByByte(json, 5);
            assertThat(endOfValue(json)).as(new String(json, UTF_8)).isEqualTo(end);
            ends += end.isPresent() ? 1 : 0;
        }
        assertThat(ends).isBetween(1_000, 19_000);
    }

    @Test
    void expectsANameOnlyIfAllOfItsBytesAreThere() {
        for (int length = 0; length <= 20; length++) {
            String name = "abcdefghijklmnopqrst".substring(0, length);
            assertThat(isExpected(name, name)).as(name).isTrue();
            assertThat(isExpected(name, name + "x")).as(name).isFalse();
            assertThat(isExpected(name + "x", name)).as(name).isFalse();
            for (int i = 0; i < length; i++) {
                String other = name.substring(0, i) + "X" + name.substring(i + 1);
                assertThat(isExpected(name, other)).as(name + ", " + other).isFalse();
            }
        }
    }

    /** Whether a cursor finds a member of this name where it expects another one, or the same. */
    private static boolean isExpected(String expected, String name) {
        JsonCursor cursor = new JsonCursor();
        assertThat(cursor.open(ByteSlice.of(("{\"" + name + "\":1}").getBytes(UTF_8))))
                .isTrue();
        assertThat(cursor.next(("\"" + expected + "\":").getBytes(UTF_8))).isTrue();
        assertThat(cursor.nameText()).isEqualTo(name);
        assertThat(cursor.take().length()).isEqualTo(1);
        return cursor.isExpected();
    }

    /** A bracket and anything, often closed. */
    private String text(int pieces) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "{" : "[");
        for (int i = 0; i < pieces; i++) {
            text.append(
                    i % 10 < 3 ? "[\"" + PIECES[random.nextInt(PIECES.length)] + "\\\\\"]" : "long and plain text ");
            if (random.nextInt(50) == 0) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return text.append(text.charAt(0) == '{' ? '}' : ']').toString();
    }

    private static OptionalInt endOfValue(byte[] json) {
        JsonCursor cursor = new JsonCursor();
        cursor.open(ByteSlice.of(json));
        cursor.next();
        try {
            return OptionalInt.of(cursor.take().to());
        } catch (RefusedException e) {
            return OptionalInt.empty();
        }
    }

    /** The same in the plainest way. */
    private static OptionalInt endByByte(byte[] json, int from) {
        Deque<Byte> open = new ArrayDeque<>();
        boolean isInString = false;
        for (int i = from; i < json.length; i++) {
            byte c = json[i];
            if (isInString) {
                if (c == '\\') {
                    i++;
                }
                isInString = c != '"';
            } else if (c == '"') {
                isInString = true;
            } else if (c == '{' || c == '[') {
                open.push(c);
            } else if (c == '}' || c == ']') {
                if (open.pop() != (c == '}' ? '{' : '[')) {
                    return OptionalInt.empty();
                }
                if (open.isEmpty()) {
                    return OptionalInt.of(i + 1);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Strings of any length at any place, with any fault. */
    @Test
    void agreesWithAStrictParser() {
        int json = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder(" ".repeat(random.nextInt(9)) + "[");
            for (int member = random.nextInt(3); member >= 0; member--) {
                text.append("{\"").append(content()).append("\" :\n\"").append(content());
                text.append("\"").append(member > 0 ? "},-1.5E+3, " : "}");
            }
            byte[] bytes = text.append("]").toString().getBytes(UTF_8);
            for (int faults = random.nextInt(4); faults > 1; faults--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            boolean isJson = Utf8.isWellFormed(bytes) && isJackson(new String(bytes, UTF_8));
            assertThat(JsonText.isJson(Slices.inside(bytes)))
                    .as(new String(bytes, UTF_8))
                    .isEqualTo(isJson);
            json += isJson ? 1 : 0;
        }
        assertThat(json).isBetween(5_000, 45_000);
    }

    private String content() {
        StringBuilder content = new StringBuilder("text".repeat(random.nextInt(5)));
        for (int i = random.nextInt(5); i > 0; i--) {
            content.append(CONTENTS[random.nextInt(CONTENTS.length)]);
        }
        return random.nextInt(20) == 0 ? content + PIECES[random.nextInt(PIECES.length)] : content.toString();
    }

    private static boolean isJackson(String text) {
        try (JsonParser parser = JsonText.FACTORY.createParser(text)) {
            parser.nextToken();
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void goesOnTheSameWhetherAMemberBeginsAsExpectedOrNot() {
        String[] documents = {
            "{\"a\":1,\"abcdefghij\": [2] ,\"a\" :3, \"\\u0061\":4,\"\":5}",
            "{\"a\":1,\"a\"x:2}",
            "{\"a\"",
            "{\"a\":",
            "{}",
            "{\"abcdefghijk\":1,\"abcdefghi\":2,\"é\":3}"
        };
        String[] names = {"a", "abcdefghij", "", "é", "b"};
        for (String document : documents) {
            for (String name : names) {
                assertThat(members(document, ('"' + name + "\":").getBytes(UTF_8)))
                        .as(document + " " + name)
                        .isEqualTo(members(document, new byte[0]));
            }
        }
    }

    /** Each member's name, value and end, and the fault that ends the text. */
    private static List<String> members(String document, byte[] expected) {
        byte[] json = ("x" + document + "y").getBytes(UTF_8);
        List<String> members = new ArrayList<>();
        JsonCursor cursor = new JsonCursor();
        try {
            boolean isObject = cursor.openChecked(json, 1, json.length - 1);
            while (isObject && (expected.length == 0 ? cursor.next() : cursor.next(expected))) {
                assertThat(cursor.isExpected())
                        .isEqualTo(expected.length > 0
                                && new String(json, cursor.nameFrom() - 1, json.length - cursor.nameFrom(), UTF_8)
                                        .startsWith(new String(expected, UTF_8)));
                cursor.skipChecked(10);
                members.add(cursor.nameText() + cursor.isNameEscaped() + cursor.valueFrom() + " " + cursor.position());
            }
            cursor.end();
        } catch (RefusedException e) {
            members.add(e.getMessage());
        }
        return members;
    }

    @Test
    void namesTheFirstFault() {
        JsonCursor cursor = new JsonCursor();
        byte[] control = "[\"plain text and \t\"]".getBytes(UTF_8);
        assertThatThrownBy(() -> cursor.check(Slices.inside(control)))
                .hasMessage("the value is not valid JSON, at byte 17:"
                        + " expected an escape instead of a control character");
        byte[] cut = "{\"a\":[1".getBytes(UTF_8);
        assertThatThrownBy(() -> cursor.check(Slices.inside(cut)))
                .hasMessage("the value is not valid JSON, at byte 7, where it ends:"
                        + " expected a comma or the end of an array");
    }

    @Test
    void knowsEachByteInEachPlaceOfABlock() {
        for (int c = 0; c < 256; c++) {
            byte[] bytes = new byte[Long.SIZE];
            Arrays.fill(bytes, (byte) c);
            boolean isBracket = "{}[]".indexOf(c) >= 0;
            assertThat(JsonBlock.brackets(bytes, 0)).as("%x", c).isEqualTo(isBracket ? -1L : 0);
            assertThat(JsonBlock.quotes(bytes, 0)).as("%x", c).isEqualTo(c == '"' ? -1L : 0);
            assertThat(JsonBlock.hasEscape(bytes, 0)).as("%x", c).isEqualTo(c == '\\');
        }
    }

    @Test
    void keepsThePlacesOfBytesInABlock() {
        for (int i = 0; i < Long.SIZE; i++) {
            byte[] bytes = "#".repeat(Long.SIZE).getBytes(UTF_8);
            bytes[i] = '"';
            assertThat(JsonBlock.quotes(bytes, 0)).isEqualTo(1L << i);
            bytes[i] = '{';
            assertThat(JsonBlock.brackets(bytes, 0)).isEqualTo(1L << i);
            bytes[i] = '\\';
            assertThat(JsonBlock.hasEscape(bytes, 0)).isTrue();
        }
    }
}
