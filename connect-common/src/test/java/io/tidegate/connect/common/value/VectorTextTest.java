package io.tidegate.connect.common.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VectorTextTest {
    private static boolean read(VectorText vector, String text) {
        byte[] bytes = ("x" + text + "y").getBytes(StandardCharsets.UTF_8);
        return vector.read(bytes, 1, bytes.length - 1);
    }

    @Test
    void readsNumbersBetweenSpaces() {
        VectorText vector = new VectorText();

        assertThat(read(vector, "[ 1.5 ,-2\n,\t3e-1]")).isTrue();

        assertThat(vector.size()).isEqualTo(3);
        assertThat(vector.get(0)).isEqualTo(1.5f);
        assertThat(vector.get(1)).isEqualTo(-2f);
        assertThat(vector.get(2)).isEqualTo(0.3f);
        assertThat(read(vector, "[7]")).isTrue();
        assertThat(vector.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "[", "[]", "[ ]", "1", "[1,]", "[,1]", "[1 2]", "[[1]]", "[null]", "[\"1\"]", "[1e39]", "[1e-60]"
            })
    void leavesEverythingElse(String text) {
        assertThat(read(new VectorText(), text)).isFalse();
    }

    @Test
    void takesAsManyElementsAsPostgresql() {
        assertThat(read(new VectorText(), "[" + "1,".repeat(15_999) + "1]")).isTrue();
        assertThat(read(new VectorText(), "[" + "1,".repeat(16_000) + "1]")).isFalse();
    }

    /** The hardest texts are those near the middle of two floats, which the nearest double may hide. */
    @Test
    void eachElementIsTheNearestFloat() {
        Random random = new Random(7);
        VectorText vector = new VectorText();
        for (int i = 0; i < 200_000; i++) {
            float some = Float.intBitsToFloat(random.nextInt(0x7f000000));
            BigDecimal middle =
                    new BigDecimal(some).add(new BigDecimal(Math.nextUp(some))).divide(BigDecimal.valueOf(2));
            String text = middle.round(new MathContext(1 + random.nextInt(19))).toString();

            boolean isRead = read(vector, "[" + text + "]");

            float expected = Float.parseFloat(text);
            if (isRead) {
                assertThat(vector.get(0)).as(text).isEqualTo(expected);
            } else {
                assertThat(expected == 0 || Float.isInfinite(expected)).as(text).isTrue();
            }
        }
    }

    /** Digits are read eight at a time, but not beyond the end of the text. */
    @Test
    void numbersOfAllLengthsAreRead() {
        Random random = new Random(11);
        VectorText vector = new VectorText();
        for (int i = 0; i < 200_000; i++) {
            String whole = random.nextInt(3) > 0 ? "0" : "1" + digits(random, random.nextInt(22));
            String fraction =
                    "0".repeat(random.nextInt(3) * random.nextInt(8)) + digits(random, 1 + random.nextInt(24));
            String exponent = random.nextInt(8) > 0 ? "" : "e" + (random.nextInt(20) - 10);
            String number = (random.nextBoolean() ? "-" : "") + whole + "." + fraction + exponent;
            String rest = " ".repeat(random.nextInt(3)) + (random.nextBoolean() ? "]" : ",12345678]");

            assertThat(read(vector, "[" + number + rest)).as(number).isTrue();

            assertThat(Float.floatToIntBits(vector.get(0)))
                    .as(number)
                    .isEqualTo(Float.floatToIntBits(Float.parseFloat(number)));
        }
    }

    private static String digits(Random random, int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }
}
