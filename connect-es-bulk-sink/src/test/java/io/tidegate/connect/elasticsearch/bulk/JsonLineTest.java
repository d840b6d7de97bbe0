package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.testkit.scenarios.HostileJson;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonLineTest {
    private static final int HOSTILE = 10_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " \t{ \"a\" : [ 1, {\"b\":[]} ] } ",
                "{\"text\":\"} ] \\\" { \\\\\"}",
                "{\"url\":\"https://a/*b*/#'c'\",\"n\":[-1.5E+10,0.25e-3,67.89,true,false,null]}",
                "{\"text\":\"\\u0000\\n\u00e9\u20ac\ud83c\udf0a\u007f\"}"
            })
    void leavesAnObjectInOneLineAsItIs(String json) {
        assertThat(safe(json)).isEqualTo(json);
    }

    @Test
    void turnsLineBreaksBetweenTokensIntoSpaces() {
        assertThat(safe("\r\n{\r\n  \"level\": 1,\n\t\"of\": [\n]\n}\n"))
                .isEqualTo("  {    \"level\": 1, \t\"of\": [ ] } ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\1',
            value = {
                "[1]|does not start with `{`",
                "\"text\"|does not start with `{`",
                "null|does not start with `{`",
                "{\"a\":[1}|its brackets do not match (at byte 7)",
                "{\"a\":1}}|something follows its end (at byte 7)",
                "{\"a\":1} {\"b\":2}|something follows its end (at byte 8)",
                "{\"a\":{}|it ends before its brackets are closed (at byte 7)",
                "{\"a\":\"b}|it ends within a string (at byte 8)",
                "{\"a\":\"b\\|a backslash that escapes nothing",
                "{\"a\":\"\\x\"}|a backslash that escapes nothing",
                "{\u00e9:1}|a character outside strings that JSON does not allow there (at byte 1)",
                "{\"a\":/*comment*/\"b\"}|does not allow there (at byte 5)",
                "{\"a\":1/*}*/,\"b\":\"{\"}|does not allow there (at byte 6)",
                "{\"a\":1}/**/|something follows its end",
                "{\"a\":1 // }|does not allow there",
                "{\"a\":1 # }|does not allow there",
                "{'a':1}|does not allow there",
                "{\"a\":'}'}|does not allow there",
                "{\"a\":NaN}|does not allow there",
                "{\"a\":Infinity}|does not allow there",
                "{\"a\":\\\"b}|does not allow there",
                "{\"a\":(1)}|does not allow there",
                "{\"a\"=1;}|does not allow there",
                "{\"a\":0x1}|does not allow there",
                "{\"a\":`b`}|does not allow there",
                "{,}|a token where JSON does not allow it (at byte 1)",
                "{\"a\"}|a token where JSON does not allow it (at byte 4)",
                "{\"a\":}|a token where JSON does not allow it",
                "{\"a\":1,}|a token where JSON does not allow it",
                "{\"a\":[1,]}|a token where JSON does not allow it",
                "{\"a\":[1 2]}|a token where JSON does not allow it",
                "{\"a\" \"b\"}|a token where JSON does not allow it",
                "{\"a\":1 \"b\":2}|a token where JSON does not allow it",
                "{1:2}|a token where JSON does not allow it",
                "{\"a\":tru}|a word in it is none of true, false and null",
                "{\"a\":n|a word in it is none of true, false and null",
                "{\"a\":1.}|a number in it lacks a digit",
                "{\"a\":-}|a number in it lacks a digit",
                "{\"a\":1e+}|a number in it lacks a digit",
                "{\"a\":01}|a token where JSON does not allow it",
                "{\"a\":\"\\u12g4\"}|a backslash that escapes nothing",
                "{\"a\":\"\\u12|a backslash that escapes nothing"
            })
    void refusesWhatIsNotOneObject(String json, String fault) {
        assertThatThrownBy(() -> safe(json))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the value is not a JSON object: ")
                .hasMessageContaining(fault);
    }

    @Test
    void agreesWithAStrictParserAboutHostileValues() {
        AtomicInteger taken = new AtomicInteger();
        HostileJson.values(11, HOSTILE).forEach(value -> {
            String shown = new String(value, ISO_8859_1);
            byte[] line = value.clone();
            boolean isObject = HostileJson.isJson(value) && shown.stripLeading().startsWith("{");

            assertThat(passes(line)).as(shown).isEqualTo(isObject);
            if (isObject) {
                assertThat(new String(line, ISO_8859_1))
                        .isEqualTo(shown.replace('\n', ' ').replace('\r', ' '));
                taken.incrementAndGet();
            }
        });
        assertThat(taken.get()).as("values of both kinds").isBetween(HOSTILE / 10, HOSTILE * 9 / 10);
    }

    private static boolean passes(byte[] value) {
        try {
            line().makeSafe(value, 0, value.length);
            return true;
        } catch (RefusedException e) {
            assertThat(e.getMessage()).startsWith("the value is not a JSON object: ");
            return false;
        }
    }

    @Test
    void refusesALineBreakInAString() {
        assertThatThrownBy(() -> safe("{\"a\":\"b\n{\\\"delete\\\":{}}\"}"))
                .hasMessageContaining("a string in it holds a control character (at byte 7)");
        assertThatThrownBy(() -> safe("{\"a\":\"b\\\n\"}")).hasMessageContaining("escapes nothing");
    }

    @Test
    void refusesAnActionLineThatFollowsTheObject() {
        assertThatThrownBy(() -> safe("{\"a\":1}\n{\"delete\":{\"_index\":\"other\",\"_id\":\"1\"}}"))
                .hasMessageContaining("something follows its end");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (int[] bytes :
                new int[][] {{0x80}, {0xc0, 0xaf}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0xe2, 0x82}}) {
            assertThatThrownBy(() -> safe(inString(bytes)))
                    .as("%s", Arrays.toString(bytes))
                    .hasMessageContaining("a string in it is not UTF-8 (at byte 6)");
        }
    }

    @Test
    void boundsTheDepth() {
        int most = JsonLine.MAX_DEPTH - 1;
        assertThat(safe("{\"a\":" + "[".repeat(most) + "]".repeat(most) + "}")).isNotEmpty();
        assertThatThrownBy(() -> safe("{\"a\":" + "[".repeat(most + 1) + "]".repeat(most + 1) + "}"))
                .hasMessageContaining("nested deeper than 1000 levels");
    }

    private static byte[] inString(int[] bytes) {
        byte[] start = "{\"a\":\"".getBytes(UTF_8);
        byte[] json = Arrays.copyOf(start, start.length + bytes.length + 2);
        for (int i = 0; i < bytes.length; i++) {
            json[start.length + i] = (byte) bytes[i];
        }
        json[json.length - 2] = '"';
        json[json.length - 1] = '}';
        return json;
    }

    private static String safe(String json) {
        return safe(json.getBytes(UTF_8));
    }

    private static String safe(byte[] json) {
        byte[] buffer = new byte[json.length + 4];
        System.arraycopy(json, 0, buffer, 2, json.length);
        line().makeSafe(buffer, 2, 2 + json.length);
        return new String(buffer, 2, json.length, UTF_8);
    }

    private static JsonLine line() {
        return new JsonLine(new TopLevelNames(List.of(), ""));
    }
}
