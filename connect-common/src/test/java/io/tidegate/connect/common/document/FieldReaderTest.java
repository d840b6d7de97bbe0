package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.FieldValue.Kind;
import io.tidegate.connect.common.testing.Slices;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldReaderTest {
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
                    .hasMessageContaining("the value is not JSON that can be read, at byte ")
                    .hasMessageNotContaining("secret")
                    .hasNoCause();
        }
        assertThatThrownBy(() -> read(" ", "$.a")).hasMessage("the value is empty, and that is not JSON");
    }

    @Test
    void refusesOtherEncodings() {
        byte[] utf16 = "{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_16BE);
        FieldReader reader = new FieldReader(List.of(JsonPath.parse("$.a")));
        assertThatThrownBy(() -> reader.read(Slices.inside(utf16))).hasMessage("the value is not UTF-8");
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
