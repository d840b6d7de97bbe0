package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.envelope.EnvelopeSettings.Truncates;
import io.tidegate.connect.common.envelope.EnvelopeSettings.UnavailableValues;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowColumnsTest {
    private static final List<Column> DOC_IS_JSON = List.of(Column.ofJson("doc"));

    private static ByteSlice slice(String json) {
        byte[] bytes = ("before" + json + "after").getBytes(UTF_8);
        return ByteSlice.of(bytes, 6, bytes.length - 5);
    }

    private static String text(ByteSlice row) {
        return new String(row.array(), row.from(), row.length(), UTF_8);
    }

    private static RowColumns columns(UnavailableValues unavailable, String... json) {
        return new RowColumns(Events.settings(unavailable, json), new JsonEncoder());
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
                "\"{\\\"__debezium_unavailable_value\\\":\\\"__debezium_unavailable_value\\\"}\"",
                "[\"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\"]", // bytea[]
                "[\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\"]", // uuid[]
                "[95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,101,95,118,97,108,117,"
                        + "101]" // int[], bigint[], date[]
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"g\u00f6ne\\\"\"",
                "[\"g\u00f6ne\\\"\"]",
                "\"Z8O2bmUi\"",
                "[\"765f89f8-d774-3250-ae1d-f8ee4fba923a\"]",
                "[103,-61,-74,110,101,34]"
            })
    void thePlaceholderIsTheOneOfTheSetting(String placeholder) {
        EnvelopeSettings settings = new EnvelopeSettings(
                EnvelopeSettings.Form.DEBEZIUM, Truncates.FAIL, UnavailableValues.FAIL, "g\u00f6ne\"", List.of());
        RowColumns columns = new RowColumns(settings, new JsonEncoder());
        ByteSlice row = slice("{\"id\":1,\"large\":" + placeholder + "}");

        assertThatThrownBy(() -> columns.document(row, List.of(), true)).hasMessageContaining("REPLICA IDENTITY FULL");
        ByteSlice other = slice("{\"id\":1,\"large\":\"__debezium_unavailable_value\"}");
        assertThat(columns.document(other, List.of(), true)).isSameAs(other);
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
