package io.tidegate.connect.common.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8Test {
    @Test
    void encodesAsTheJdkDoesWhatHasAForm() {
        for (String text : new String[] {"", "a?b", "\u0000", "Sept-\u00celes", "\u20ac", "\ud83c\udf0a", "\uffff"}) {
            assertThat(Utf8.encode(text)).isEqualTo(text.getBytes(UTF_8));
            assertThat(Utf8.isWellFormed(text)).isTrue();
        }
    }

    @Test
    void keepsHalfPairsApartFromEachOtherAndFromQuestionMarks() {
        assertThat(Utf8.encode("a\ud83c")).containsExactly('a', 0xed, 0xa0, 0xbc);
        assertThat(Utf8.encode("\udf0aa")).containsExactly(0xed, 0xbc, 0x8a, 'a');
        assertThat(Utf8.encode("\udf0a\ud83c\u00e4")).containsExactly(0xed, 0xbc, 0x8a, 0xed, 0xa0, 0xbc, 0xc3, 0xa4);
        assertThat(Utf8.isWellFormed("\ud83c\ud83c\udf0a")).isFalse();
    }

    @Test
    void isMalformedWhereTheTextHoldsAHalf() {
        Random random = new Random(7);
        char[] units = {'a', '\u00e4', '\u20ac', '\ud83c', '\udf0a'};
        for (int run = 0; run < 10_000; run++) {
            char[] text = new char[random.nextInt(8)];
            for (int i = 0; i < text.length; i++) {
                text[i] = units[random.nextInt(units.length)];
            }
            String drawn = new String(text);
            boolean encodes = UTF_8.newEncoder().canEncode(drawn);

            assertThat(Utf8.isWellFormed(drawn)).as(drawn).isEqualTo(encodes);
            assertThat(Utf8.isWellFormed(Utf8.encode(drawn))).as(drawn).isEqualTo(encodes);
        }
    }

    @Test
    void findsTheHalvesThatItEncoded() {
        byte[] bytes = Utf8.encode("\ud83c\ud7ff");

        assertThat(Utf8.isHalf(bytes, 0, bytes.length)).isTrue();
        assertThat(Utf8.isHalf(bytes, 1, bytes.length)).isFalse();
        assertThat(Utf8.isHalf(bytes, Utf8.HALF_BYTES, bytes.length))
                .as("U+D7FF, a character")
                .isFalse();
        assertThat(Utf8.isHalf(bytes, 0, 2)).as("the text ends before").isFalse();
    }
}
