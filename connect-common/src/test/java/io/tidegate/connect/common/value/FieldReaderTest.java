package io.tidegate.connect.common.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.Slices;
import io.tidegate.connect.common.value.FieldValue.Kind;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldReaderTest {
    private static final List<String> NAMES = List.of("\"a\"", "\"\\u0062\"", "\"c\"");
    private static final List<String> SCALARS = List.of(
            "0",
            "-1.5e3",
            "17",
            "true",
            "null",
            "\"\"",
            "\"}]\\\"{[\"",
            "\"\\\\\"",
            "\"" + "é".repeat(80) + "\"",
            "{}",
            "[ ]");

    private static final String DOCUMENT = """
        {"skip" : {"id":"no","deep":[[{"id":1}]]}, "id" : "a\\u00e9\\n", "n": 12.50e1 , "i":-7, "yes":true,
         "none" : null, "empty":"", "a":[ 1 , {"b":{"c":"inside", "d":[1, 2]}}, "last"], "odd name":"x",
         "int":3}\
        """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "$.n | NUMBER | 12.50e1 | 12.50e1",
                "$.i | NUMBER | -7 | -7",
                "$.int | NUMBER | 3 | 3",
                "$.yes | BOOLEAN | true | true",
                "$.empty | STRING | `` | \"\"",
                "$['odd name'] | STRING | x | \"x\"",
                "$.a[0] | NUMBER | 1 | 1",
                "$.a[2] | STRING | last | \"last\"",
                "$.a[1].b.c | STRING | inside | \"inside\"",
                "$.a[1].b | OBJECT | {\"c\":\"inside\", \"d\":[1, 2]} | {\"c\":\"inside\", \"d\":[1, 2]}",
                "$.a[1].b.d | ARRAY | [1, 2] | [1, 2]",
                "$.skip.deep[0][0].id | NUMBER | 1 | 1"
            })
    void readsTextAndJsonOfValues(String path, Kind kind, String text, String json) {
        FieldValue value = read(DOCUMENT, path).get(0);
        assertThat(value.kind()).isEqualTo(kind);
        assertThat(value.isPresent()).isTrue();
        assertThat(value.isScalar()).isEqualTo(kind != Kind.OBJECT && kind != Kind.ARRAY);
        assertThat(value.text()).isEqualTo(text);
        assertThat(value.json().bytes()).asString(UTF_8).isEqualTo(json);
        assertThat(value.utf8()).asString(UTF_8).isEqualTo(text);
    }

    @Test
    void readsSeveralValuesInTheOrderAskedFor() {
        List<FieldValue> values = read(DOCUMENT, "$.int", "$.a[1].b.d[1]", "$.a[1].b", "$.id", "$.a");
        assertThat(values.stream().map(FieldValue::text).toList())
                .containsExactly(
                        "3",
                        "2",
                        "{\"c\":\"inside\", \"d\":[1, 2]}",
                        "a\u00e9\n",
                        "[ 1 , {\"b\":{\"c\":\"inside\", \"d\":[1, 2]}}, \"last\"]");
        assertThat(values.get(3).json().bytes()).asString(UTF_8).isEqualTo("\"a\\u00e9\\n\"");
    }

    @Test
    void tellsNullMissingAndEmptyApart() {
        List<FieldValue> values = read(DOCUMENT, "$.none", "$.nowhere", "$.empty", "$.none.below", "$.id[0]", "$.a[9]");
        assertThat(values.stream().map(FieldValue::kind).toList())
                .containsExactly(Kind.NULL, Kind.MISSING, Kind.STRING, Kind.MISSING, Kind.MISSING, Kind.MISSING);
        assertThat(values.get(0).isPresent()).isFalse();
        assertThat(values.get(0).json().bytes()).asString(UTF_8).isEqualTo("null");
        assertThatThrownBy(() -> values.get(0).text()).hasMessage("the value is NULL");
        assertThatThrownBy(() -> values.get(1).json()).hasMessage("the value is missing");
        assertThat(values.get(2)).hasToString("STRING");
    }

    @Test
    void readsValuesAtTheRoot() {
        assertThat(read("[ 5 ]", "$[0]").get(0).text()).isEqualTo("5");
        assertThat(read("7 ", "$.a").get(0).kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void takesTheFirstOfTwoFieldsWithOneName() {
        assertThat(read("{\"a\":1,\"a\":2,\"b\":3}", "$.a", "$.b").get(0).text())
                .isEqualTo("1");
    }

    @Test
    void doesNotLookBehindTheLastValueAskedFor() {
        assertThat(read("{\"a\":{\"b\":1,@garbage", "$.a.b").get(0).text()).isEqualTo("1");
    }

    @Test
    void refusesWhatIsNotJsonWithoutQuotingIt() {
        for (String json : List.of("{\"a\":secret}", "{\"a\":1", "{\"b\":\"secret", "{secret")) {
            assertThatThrownBy(() -> read(json, "$.zz"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("the value is not valid JSON, at byte ")
                    .hasMessageNotContaining("secret")
                    .hasNoCause();
        }
        assertThatThrownBy(() -> read(" ", "$.a")).hasMessage("the value is empty, and that is not JSON");
    }

    @Test
    void refusesOtherEncodings() {
        byte[] utf16 = "{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_16BE);
        FieldReader reader = new FieldReader(List.of(JsonPath.parse("$.a")));
        assertThatThrownBy(() -> reader.read(Slices.inside(utf16)))
                .hasMessage("the value is not valid JSON, at byte 0: expected a value");
        assertThatThrownBy(() -> read("\ufeff{\"a\":1}", "$.a"))
                .hasMessage("the value is not valid JSON, at byte 0: expected a value");
    }

    @Test
    void knowsNamesInAnyForm() {
        String json = "{\"\\u0061\":1,\"\u00e9\":2,\"\\u00e9x\":3,\"a\\\"b\":4,\"c\\\\u0064\":5,\"end\":6}";
        List<FieldValue> values = read(json, "$.a", "$.\u00e9", "$['\u00e9x']", "$['a\"b']", "$.cd", "$.end");
        assertThat(values.stream().map(FieldValue::kind).toList())
                .containsExactly(Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.MISSING, Kind.NUMBER);
        assertThat(read("{\"c\\u0064\":5}", "$['c\\\\u0064']").get(0).kind()).isEqualTo(Kind.MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1-2",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "--1",
                "1e5e5",
                "tru",
                "nul",
                "\"\\x\"",
                "\"\t\"",
                "[1,]",
                "[1 2]",
                "{1}",
                "{\"a\":}",
                "[\"a\" \"b\"]"
            })
    void refusesAMalformedFieldThatIsRequested(String value) {
        assertThatThrownBy(() -> read("{\"a\":" + value + "}", "$.a"))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the value is not valid JSON");
    }

    @Test
    void findsEveryValueOfAnyDocument() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            Map<String, String> first = new LinkedHashMap<>();
            String json = document(random, "$", 0, first);
            String[] paths = Stream.concat(
                            first.keySet().stream().filter(path -> random.nextInt(3) == 0),
                            Stream.of("$.a.b.d", "$[7]", "$.b[7].a"))
                    .toArray(String[]::new);
            List<FieldValue> values = read(json, paths);
            for (int p = 0; p < paths.length; p++) {
                FieldValue value = values.get(p);
                Optional<String> found = value.kind() == Kind.MISSING
                        ? Optional.empty()
                        : Optional.of(value.json().bytes()).map(bytes -> new String(bytes, UTF_8));
                assertThat(found).as("%s in %s", paths[p], json).isEqualTo(Optional.ofNullable(first.get(paths[p])));
            }
        }
    }

    /** A value, which may have fields of the same name; the map gets the first value of each path. */
    private static String document(Random random, String path, int depth, Map<String, String> first) {
        int kind = depth == 0 ? random.nextInt(2) : depth == 4 ? 2 : random.nextInt(4);
        if (kind > 1) {
            return SCALARS.get(random.nextInt(SCALARS.size()));
        }
        StringBuilder json = new StringBuilder(kind == 0 ? "{" : "[");
        for (int i = 0, size = random.nextInt(5); i < size; i++) {
            int name = random.nextInt(3);
            String child = path + (kind == 0 ? "." + "abc".charAt(name) : "[" + i + "]");
            Map<String, String> below = new LinkedHashMap<>();
            String value = document(random, child, depth + 1, below);
            first.putIfAbsent(child, value);
            below.forEach(first::putIfAbsent);
            json.append(i == 0 ? " " : " , ")
                    .append(kind == 0 ? NAMES.get(name) + " :\n" : "")
                    .append(value);
        }
        return json.append(kind == 0 ? " }" : " ]").toString();
    }

    @Test
    void keepsHalfASurrogatePairWithoutAFormInUtf8() {
        FieldValue half = read("{\"a\":\"\\ud800\"}", "$.a").get(0);
        assertThat(half.utf8()).containsExactly(0xed, 0xa0, 0x80);
    }

    @Test
    void readsPastWhatAServerMayTakeAndAParserUsuallyDoesNot() {
        String digits = "9".repeat(2_000);
        String deep = "[".repeat(2_000) + "]".repeat(2_000);
        assertThat(read("{\"n\":" + digits + ",\"deep\":" + deep + ",\"id\":7}", "$.id")
                        .get(0)
                        .text())
                .isEqualTo("7");
        assertThat(read("{\"n\":" + digits + "}", "$.n").get(0).text()).isEqualTo(digits);
    }

    @Test
    void asksForEachPathOnce() {
        assertThatThrownBy(() -> read("{}", "$.a", "$['a']")).hasMessage("$.a is named twice");
        assertThatThrownBy(() -> read("{}")).hasMessage("there is nothing to read");
    }

    private static List<FieldValue> read(String json, String... paths) {
        return new FieldReader(Stream.of(paths).map(JsonPath::parse).toList())
                .read(Slices.inside(json.getBytes(UTF_8)));
    }
}
