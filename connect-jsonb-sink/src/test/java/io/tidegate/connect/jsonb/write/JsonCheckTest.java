package io.tidegate.connect.jsonb.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.Slices;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.testkit.scenarios.HostileJson;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link MalformedDocumentsIT} asks a server the same. */
final class JsonCheckTest {
    private static final int HOSTILE = 10_000;

    /** What is JSON for Jackson and passes for {@code json} is what {@code jsonb} takes, but for two kinds of escapes. */
    @Test
    void agreesWithAStrictParserAboutHostileValues() {
        AtomicInteger taken = new AtomicInteger();
        HostileJson.values(11, HOSTILE).forEach(value -> {
            ByteSlice slice = Slices.inside(value);
            boolean isStorable = Utf8.isWellFormed(value) && new String(value, UTF_8).indexOf('\0') < 0;
            boolean isJson = isStorable && HostileJson.isJson(value);
            boolean isJsonb = isJson && UnstorableCharacters.REPLACE.json(slice) == slice;

            assertThat(passes(() -> JsonCheck.text(slice))).as(shown(value)).isEqualTo(isStorable);
            assertThat(passes(() -> JsonCheck.json(slice))).as(shown(value)).isEqualTo(isJson);
            assertThat(passes(() -> JsonCheck.jsonb(slice))).as(shown(value)).isEqualTo(isJsonb);
            taken.addAndGet(isJsonb ? 1 : 0);
        });
        assertThat(taken.get()).as("values of both kinds").isBetween(HOSTILE / 10, HOSTILE * 9 / 10);
    }

    private static boolean passes(Runnable check) {
        try {
            check.run();
            return true;
        } catch (RefusedException e) {
            assertThat(e.getMessage()).matches("the (text|value) .+");
            return false;
        }
    }

    private static String shown(byte[] value) {
        return new String(value, ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0",
                "-1.50e+3",
                "1E5",
                "true",
                "false",
                "null",
                " [ ] ",
                "\t\r\n{ }\n",
                "{\"a\": [1, {\"b\": null}, []], \"c\": {\"d\": \"e\"}}",
                "[[[[]]], {}]",
                "{\"a\": 1, \"a\": 2}",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83c\\udf0a\\uffff\"",
                "\"ä€🌊\u007f\u2028\"",
                "\"\\\\u0000\"",
                "1e400"
            })
    void takesWhatIsJson(String json) {
        assertThatCode(() -> JsonCheck.jsonb(Slices.inside(bytes(json)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|at byte 0, where it ends: expected a value",
                "` `|at byte 1, where it ends: expected a value",
                "{|at byte 1, where it ends: expected a name",
                "{\"a\"|at byte 4, where it ends: expected a colon",
                "{\"a\":|at byte 5, where it ends: expected a value",
                "{\"a\":1|at byte 6, where it ends: expected a comma or the end of an object",
                "{\"a\":1,}|at byte 7: expected a name",
                "{a:1}|at byte 1: expected a name",
                "[1|at byte 2, where it ends: expected a comma or the end of an array",
                "[1 2]|at byte 3: expected a comma or the end of an array",
                "[1,]|at byte 3: expected a value",
                "[1}|at byte 2: expected a comma or the end of an array",
                "{\"a\":1]|at byte 6: expected a comma or the end of an object",
                "[]]|at byte 2: expected the end of the value",
                "{} {}|at byte 3: expected the end of the value",
                "tru|at byte 0: expected a value",
                "truex|at byte 4: expected the end of the value",
                "True|at byte 0: expected a value",
                "NaN|at byte 0: expected a value",
                "'a'|at byte 0: expected a value",
                "01|at byte 1: expected the end of the value",
                "+1|at byte 0: expected a value",
                "-|at byte 1, where it ends: expected a value",
                ".5|at byte 0: expected a value",
                "1.|at byte 2, where it ends: expected a digit",
                "1e|at byte 2, where it ends: expected a digit",
                "1e+|at byte 3, where it ends: expected a digit",
                "0x10|at byte 1: expected the end of the value",
                "\"a|at byte 2, where it ends: expected the end of a string",
                "\"\\|at byte 2, where it ends: expected an escape",
                "\"\\x41\"|at byte 2: expected an escape",
                "\"\\u12g4\"|at byte 5: expected a hexadecimal digit",
                "\"\\u12|at byte 5, where it ends: expected a hexadecimal digit",
                "\"\\u\"|at byte 3: expected a hexadecimal digit",
                "// no|at byte 0: expected a value",
                "ä|at byte 0: expected a value"
            })
    void saysWhatIsNotJson(String json, String fault) {
        assertRefused(() -> JsonCheck.json(Slices.inside(bytes(json))), "22P02", fault);
    }

    @Test
    void refusesControlCharactersInStrings() {
        assertRefused(
                () -> JsonCheck.json(Slices.inside(bytes("\"a\nb\""))),
                "22P02",
                "at byte 2: expected an escape instead of a control character");
    }

    @Test
    void refusesWhatNoTextColumnTakes() {
        assertRefused(
                () -> JsonCheck.text(Slices.inside(new byte[] {'a', 0})),
                "22021",
                "the text holds a NUL, for which there is behavior.on.unstorable.characters=");
        assertRefused(
                () -> JsonCheck.jsonb(Slices.inside(new byte[] {'"', (byte) 0xff, '"'})),
                "22021",
                "the text is not UTF-8, for which");
        assertRefused(
                () -> JsonCheck.jsonb(Slices.inside(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'})),
                "22021",
                "the text is not UTF-8, for which"); // a surrogate
        assertRefused(
                () -> JsonCheck.text(Slices.inside(new byte[] {(byte) 0xe2, (byte) 0x82})),
                "22021",
                "is not UTF-8, for which");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a\\u0000\"|22P05|holds \\u0000, and jsonb cannot, for which there is behavior.on.unstorable.characters=replace or strip, at byte 2",
                "{\"\\u0000\": 1}|22P05|holds \\u0000, and jsonb cannot, for which there is behavior.on.unstorable.characters=replace or strip, at byte 2",
                "\"\\ud83c\"|22P02|holds half a surrogate pair, and jsonb cannot, for which there is behavior.on.unstorable.characters=replace or strip, at byte 1",
                "\"\\ud83cx\"|22P02|half a surrogate pair",
                "\"\\ud83c\\n\"|22P02|half a surrogate pair",
                "\"\\ud83c\\u0041\"|22P02|half a surrogate pair",
                "\"\\ud83c\\ud83c\\udf0a\"|22P02|half a surrogate pair",
                "\"\\udf0a\"|22P02|half a surrogate pair"
            })
    void knowsWhatJsonTakesAndJsonbDoesNot(String json, String state, String fault) {
        assertThatCode(() -> JsonCheck.json(Slices.inside(bytes(json)))).doesNotThrowAnyException();
        assertRefused(() -> JsonCheck.jsonb(Slices.inside(bytes(json))), state, fault);
    }

    @Test
    void needsNoStack() {
        String deep = "[{\"a\":".repeat(500_000) + "0" + "}]".repeat(500_000);

        assertThatCode(() -> JsonCheck.jsonb(Slices.inside(bytes(deep)))).doesNotThrowAnyException();
        assertRefused(
                () -> JsonCheck.jsonb(Slices.inside(bytes(deep + "]"))), "22P02", "expected the end of the value");
    }

    private static void assertRefused(Runnable check, String state, String fault) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(RefusedException.class, refusal -> assertThat(refusal.facts())
                        .containsEntry("kind", "data")
                        .containsEntry("sqlstate", state))
                .hasMessageContaining(fault);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
