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
                "{\"a\":[1}|at byte 7: expected a comma or the end of an array",
                "{\"a\":1}}|at byte 7: expected the end of the value",
                "{\"a\":1} {\"b\":2}|at byte 8: expected the end of the value",
                "{\"a\":{}|at byte 7, where it ends: expected a comma or the end of an object",
                "{\"a\":\"b}|at byte 8, where it ends: expected the end of a string",
                "{\"a\":\"b\\|expected an escape",
                "{\"a\":\"\\x\"}|at byte 7: expected an escape",
                "{\u00e9:1}|at byte 1: expected a name",
                "{\"a\":/*comment*/\"b\"}|at byte 5: expected a value",
                "{\"a\":1/*}*/,\"b\":\"{\"}|at byte 6: expected a comma or the end of an object",
                "{\"a\":1}/**/|expected the end of the value",
                "{\"a\":1 // }|expected a comma or the end of an object",
                "{\"a\":1 # }|expected a comma or the end of an object",
                "{'a':1}|expected a name",
                "{\"a\":'}'}|expected a value",
                "{\"a\":NaN}|expected a value",
                "{\"a\":Infinity}|expected a value",
                "{\"a\":\\\"b}|expected a value",
                "{\"a\":(1)}|expected a value",
                "{\"a\"=1;}|expected a colon",
                "{\"a\":0x1}|expected a comma or the end of an object",
                "{\"a\":`b`}|expected a value",
                "{,}|at byte 1: expected a name",
                "{\"a\"}|at byte 4: expected a colon",
                "{\"a\":}|expected a value",
                "{\"a\":1,}|expected a name",
                "{\"a\":[1,]}|expected a value",
                "{\"a\":[1 2]}|expected a comma or the end of an array",
                "{\"a\" \"b\"}|expected a colon",
                "{\"a\":1 \"b\":2}|expected a comma or the end of an object",
                "{1:2}|expected a name",
                "{\"a\":tru}|expected a value",
                "{\"a\":n|expected a value",
                "{\"a\":1.}|expected a digit",
                "{\"a\":-}|expected a value",
                "{\"a\":1e+}|expected a digit",
                "{\"a\":01}|expected a comma or the end of an object",
                "{\"a\":\"\\u12g4\"}|expected a hexadecimal digit",
                "{\"a\":\"\\u12|expected a hexadecimal digit"
            })
    void refusesWhatIsNotOneObject(String json, String fault) {
        assertThatThrownBy(() -> safe(json))
                .isInstanceOf(RefusedException.class)
                .hasMessageMatching("the value is not (a JSON object: |valid JSON, at byte ).+")
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
            assertThat(e.getMessage()).matches("the value is not (a JSON object: |valid JSON, at byte ).+");
            return false;
        }
    }

    @Test
    void refusesALineBreakInAString() {
        assertThatThrownBy(() -> safe("{\"a\":\"b\n{\\\"delete\\\":{}}\"}"))
                .hasMessageContaining("at byte 7: expected an escape instead of a control character");
        assertThatThrownBy(() -> safe("{\"a\":\"b\\\n\"}")).hasMessageContaining("expected an escape");
    }

    @Test
    void refusesAnActionLineThatFollowsTheObject() {
        assertThatThrownBy(() -> safe("{\"a\":1}\n{\"delete\":{\"_index\":\"other\",\"_id\":\"1\"}}"))
                .hasMessageContaining("expected the end of the value");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (int[] bytes :
                new int[][] {{0x80}, {0xc0, 0xaf}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0xe2, 0x82}}) {
            assertThatThrownBy(() -> safe(inString(bytes)))
                    .as("%s", Arrays.toString(bytes))
                    .hasMessageContaining("at byte 6: expected UTF-8");
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
        return new JsonLine(List.of(), "");
    }
}
