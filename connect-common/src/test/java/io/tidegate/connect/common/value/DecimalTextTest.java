package io.tidegate.connect.common.value;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0}|1", "-0]|2", "12.50,|5", "'-7 '|2", "0.001}|5", "1.5.3|3", "9223372036854775808}|19"})
    void readsANumberToItsEnd(String text, int end) {
        byte[] bytes = ("{" + text).getBytes(US_ASCII);
        DecimalText number = new DecimalText();
        DecimalText same = new DecimalText();

        assertThat(number.readJson(bytes, 1, bytes.length)).isEqualTo(1 + end);

        assertThat(same.read(bytes, 1, 1 + end)).isTrue();
        assertThat(number.asDouble()).isEqualTo(same.asDouble());
        assertThat(number.isLong()).isEqualTo(same.isLong());
        assertThat(number.asLong()).isEqualTo(same.asLong());
        assertThat(number.scale()).isEqualTo(same.scale());
    }

    /** They are not JSON, or rare, or may go on behind the text. */
    @ParameterizedTest
    @ValueSource(strings = {"", "12", "007,", "-01}", "1.}", ".5}", "-}", "+1}", "1e5}", "1.5E-3}", "\"1\"}", "null}"})
    void leavesTheRestToOthers(String text) {
        byte[] bytes = text.getBytes(US_ASCII);

        assertThat(new DecimalText().readJson(bytes, 0, bytes.length)).isNegative();
    }
}
