package io.tidegate.connect.jsonb.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.Slices;
import io.tidegate.connect.jsonb.write.JsonCheck;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

final class UnstorableCharactersTest {
    private static final String[] PIECES = {
        "a",
        "ä",
        "\\\\",
        "\\\"",
        "\\n",
        "\\u0000",
        "\\u0041",
        "\\ud83c",
        "\\udf0a",
        "\\ud83c\\udf0a",
        "\\uD83C",
        "🌊",
        "u0000"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a\\u0000b\"|\"a?b\"|\"ab\"",
                "{\"\\u0000\": 1}|{\"?\": 1}|{\"\": 1}",
                "\"\\\\\\u0000\"|\"\\\\?\"|\"\\\\\"",
                "\"\\ud83c\"|\"?\"|\"\"",
                "\"\\udf0ax\"|\"?x\"|\"x\"",
                "\"\\ud83c\\ud83c\\udf0a\"|\"?\\ud83c\\udf0a\"|\"\\ud83c\\udf0a\"",
                "\"\\udf0a\\ud83c\"|\"??\"|\"\"",
                "\"\\uD83C\\u0041\"|\"?\\u0041\"|\"\\u0041\""
            })
    void takesOutWhatJsonbCannotStore(String json, String replaced, String stripped) {
        assertThat(repaired(UnstorableCharacters.REPLACE, bytes(json))).isEqualTo(replaced.replace('?', '\ufffd'));
        assertThat(repaired(UnstorableCharacters.STRIP, bytes(json))).isEqualTo(stripped);
        assertThat(repaired(UnstorableCharacters.FAIL, bytes(json))).isEqualTo(json);
    }

    @Test
    void takesOutBytesThatNoTextCanHold() {
        byte[] json = {'"', 'a', 0, (byte) 0xff, (byte) 0xe2, (byte) 0x82, 'b', (byte) 0xc3, (byte) 0xa4, '"'};

        assertThat(repaired(UnstorableCharacters.REPLACE, json)).isEqualTo("\"a\ufffd\ufffd\ufffd\ufffdbä\"");
        assertThat(repaired(UnstorableCharacters.STRIP, json)).isEqualTo("\"abä\"");
    }

    @Test
    void takesHalfASurrogatePairForOneCharacter() {
        byte[] json = Utf8.encode("\"a\ud83cb\udf0a\"");

        assertThat(repaired(UnstorableCharacters.REPLACE, json)).isEqualTo("\"a\ufffdb\ufffd\"");
        assertThat(repaired(UnstorableCharacters.STRIP, json)).isEqualTo("\"ab\"");
        ByteSlice slice = Slices.inside(json);
        assertThat(UnstorableCharacters.FAIL.json(slice)).isSameAs(slice);
    }

    @Test
    void takesNoBackslashOfATextForAnEscape() {
        byte[] text = Utf8.encode("\\u0000\u0000\\ud83c\ud83c\\");

        assertThat(new String(UnstorableCharacters.REPLACE.text(text), StandardCharsets.UTF_8))
                .isEqualTo("\\u0000\ufffd\\ud83c\ufffd\\");
        assertThat(new String(UnstorableCharacters.STRIP.text(text), StandardCharsets.UTF_8))
                .isEqualTo("\\u0000\\ud83c\\");
        assertThat(UnstorableCharacters.FAIL.text(text)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "\"\\\\u0000\"",
                "\"\\\\\\\\u0000\"",
                "\"ä€🌊\\ud83c\\udf0a\\uffff\\n\"",
                "\"\\",
                "\"\\u",
                "\"\\u00",
                "\"\\u12g4\"",
                "\"\\"
            })
    void leavesEverythingElseAsItIs(String json) {
        ByteSlice text = Slices.inside(bytes(json));

        assertThat(UnstorableCharacters.REPLACE.json(text)).isSameAs(text);
        assertThat(UnstorableCharacters.STRIP.json(text)).isSameAs(text);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "FAIL")
    void makesEveryStringStorable(UnstorableCharacters repair) {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            text.write('"');
            for (int piece = random.nextInt(8); piece > 0; piece--) {
                if (random.nextInt(4) == 0) {
                    text.write(random.nextInt(4) == 0 ? 0 : 0x80 + random.nextInt(0x80));
                } else {
                    text.writeBytes(bytes(PIECES[random.nextInt(PIECES.length)]));
                }
            }
            text.write('"');

            ByteSlice repaired = repair.json(Slices.inside(text.toByteArray()));

            assertThatCode(() -> JsonCheck.jsonb(repaired))
                    .as("%s of run %d", new String(repaired.bytes(), StandardCharsets.UTF_8), i)
                    .doesNotThrowAnyException();
            assertThat(repair.json(repaired)).isSameAs(repaired);
        }
    }

    private static String repaired(UnstorableCharacters repair, byte[] json) {
        return new String(repair.json(Slices.inside(json)).bytes(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
