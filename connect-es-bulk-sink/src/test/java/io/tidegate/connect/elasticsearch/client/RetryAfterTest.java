package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterTest {
    private static final Optional<String> DATE = Optional.of("Tue, 15 Nov 1994 08:12:31 GMT");

    @Test
    void isSeconds() {
        assertThat(RetryAfter.parse(" 120 ", Optional.empty())).contains(Duration.ofMinutes(2));
    }

    @Test
    void isADateByTheServersOwnClock() {
        assertThat(RetryAfter.parse("Tue, 15 Nov 1994 08:12:41 GMT", DATE)).contains(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "soon", "-1", "99999999", "Tue, 15 Nov 1994 08:12:21 GMT", "Tue, 32 Nov 1994 08:12:41 GMT"})
    void isPassedOverWhenItMakesNoSense(String header) {
        assertThat(RetryAfter.parse(header, DATE)).isEmpty();
    }

    @Test
    void asADateTellsNothingWithoutTheServersClock() {
        assertThat(RetryAfter.parse("Tue, 15 Nov 1994 08:12:41 GMT", Optional.empty()))
                .isEmpty();
        assertThat(RetryAfter.parse("Tue, 15 Nov 1994 08:12:41 GMT", Optional.of("now")))
                .isEmpty();
    }
}
