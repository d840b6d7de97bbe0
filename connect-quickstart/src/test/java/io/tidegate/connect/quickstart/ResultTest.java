package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.Sink;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ResultTest {
    @Test
    void isOneLineOfTheAgreedForm() {
        assertThat(new Result(Sink.JSONB, 7201, 7201, 0, Duration.ofMillis(3200), OptionalLong.of(1)).line())
                .isEqualTo("RESULT jsonb produced=7201 stored=7201 duplicates=0 seconds=3.2 rate=2250");
        assertThat(new Result(Sink.ES, 7201, 7201, 0, Duration.ofMillis(4100), OptionalLong.of(1)).line())
                .isEqualTo("RESULT es produced=7201 stored=7201 duplicates=0 seconds=4.1 rate=1756");
    }

    @Test
    void isExactOnlyWhenEverythingIsStoredOnce() {
        assertThat(new Result(Sink.ES, 10, 10, 0, Duration.ZERO, OptionalLong.of(1)).isExact())
                .isTrue();
        assertThat(new Result(Sink.ES, 10, 9, 0, Duration.ZERO, OptionalLong.of(1)).isExact())
                .isFalse();
        assertThat(new Result(Sink.ES, 10, 10, 1, Duration.ZERO, OptionalLong.of(1)).isExact())
                .isFalse();
    }

    @Test
    void hasNoRateWithoutTime() {
        assertThat(new Result(Sink.ES, 0, 0, 0, Duration.ZERO, OptionalLong.of(1)).line())
                .endsWith("seconds=0.0 rate=0");
    }
}
