package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowColumnsTest {
    private static final List<byte[]> DOC_IS_JSON = List.of("doc".getBytes(UTF_8));

    private static ByteSlice slice(String json) {
        byte[] bytes = ("before" + json + "after").getBytes(UTF_8);
        return ByteSlice.of(bytes, 6, bytes.length - 5);
    }

    private static String text(ByteSlice row) {
        return new String(row.array(), row.from(), row.length(), UTF_8);
    }

    private static RowColumns columns(UnavailableValues unavailable, String... json) {
        return new RowColumns(unavailable, JsonColumns.of(List.of(json)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":1,"doc":"{\\"a\\":\\"é\\\\\\"\\"}"} | {"id":1,"doc":{"a":"é\\""}}
        {"doc":"[1, 2]","id":1} | {"doc":[1, 2],"id":1}
        {"doc":"7"} | {"doc":7}
        {"doc":"\\"text\\""} | {"doc":"text"}
        {"doc":null,"id":1} | {"doc":null,"id":1}
        {"doc":"","id":1} | {"doc":"","id":1}
        {"doc":"{","id":1} | {"doc":"{","id":1}
        {"doc":"{}{}","id":1} | {"doc":"{}{}","id":1}
        {"doc":"{},","id":1} | {"doc":"{},","id":1}
        {"other":"{}"} | {"other":"{}"}
        """)
    void textOfJsonColumnsBecomesJson(String row, String document) {
        assertThat(text(columns(UnavailableValues.FAIL, "auto").document(slice(row), DOC_IS_JSON, true)))
                .isEqualTo(document);
        assertThat(text(columns(UnavailableValues.FAIL, "doc").document(slice(row), List.of(), true)))
                .isEqualTo(document);
        assertThat(text(columns(UnavailableValues.FAIL).document(slice(row), DOC_IS_JSON, true)))
                .isEqualTo(row);
    }

    @Test
    void aRowWithNothingToChangeIsPassedOn() {
        ByteSlice row = slice("{\"id\":1,\"doc\":null}");

        assertThat(columns(UnavailableValues.FAIL, "auto").document(row, DOC_IS_JSON, true))
                .isSameAs(row);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"__debezium_unavailable_value\"",
                "\"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\"",
                "[\"__debezium_unavailable_value\"]",
                "{\"__debezium_unavailable_value\":\"__debezium_unavailable_value\"}",
                "\"{\\\"__debezium_unavailable_value\\\":\\\"__debezium_unavailable_value\\\"}\""
            })
    void aPlaceholderIsRefusedLeftOutOrWritten(String placeholder) {
        ByteSlice row = slice("{\"id\":1,\"large\":" + placeholder + ",\"n\":2}");

        assertThatThrownBy(() -> columns(UnavailableValues.FAIL, "auto").document(row, List.of(), true))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("REPLICA IDENTITY FULL")
                .hasMessageContaining(EnvelopeSettings.UNAVAILABLE_VALUES);
        assertThat(text(columns(UnavailableValues.KEEP, "auto").document(row, List.of(), true)))
                .isEqualTo("{\"id\":1,\"n\":2}");
        assertThat(columns(UnavailableValues.WRITE, "auto").document(row, List.of(), true))
                .isSameAs(row);
    }

    @Test
    void nothingIsKeptForARowThatHasANewKey() {
        ByteSlice row = slice("{\"id\":1,\"large\":\"__debezium_unavailable_value\"}");

        assertThatThrownBy(() -> columns(UnavailableValues.KEEP, "auto").document(row, List.of(), false))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("no older row with this key");
    }

    @Test
    void aTextThatMentionsThePlaceholderIsNone() {
        ByteSlice row = slice("{\"id\":1,\"text\":\"see __debezium_unavailable_value\"}");

        assertThat(columns(UnavailableValues.FAIL, "auto").document(row, List.of(), true))
                .isSameAs(row);
    }

    @Test
    void aRowOfNothingElseBecomesAnEmptyObject() {
        ByteSlice row = slice("{\"large\":\"__debezium_unavailable_value\"}");

        assertThat(text(columns(UnavailableValues.KEEP, "auto").document(row, List.of(), true)))
                .isEqualTo("{}");
    }

    @Test
    void aTextIsFoundWhereverItIs() {
        ByteSearch search = new ByteSearch("abcab".getBytes(UTF_8));
        for (String text : List.of("abcab", "xabcab", "abcabx", "ababcab", "abcaabcab", "xxxxabcabxxxx")) {
            assertThat(search.isIn(slice(text))).as(text).isTrue();
        }
        for (String text : List.of("", "abca", "bcab", "abcbab", "abxab")) {
            assertThat(search.isIn(slice(text))).as(text).isFalse();
        }
    }
}
