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
    void saysInWordsWhatIsStored() {
        assertThat(new Result(Sink.JSONB, 100_000, 100_000, 0, Duration.ZERO, OptionalLong.empty()).verdict())
                .isEqualTo("PostgreSQL: 100,000 of 100,000 records, each once");
        assertThat(new Result(Sink.ES, 100_000, 99_990, 0, Duration.ZERO, OptionalLong.empty()).verdict())
                .isEqualTo("Elasticsearch: 99,990 of 100,000 records");
        assertThat(new Result(Sink.ES, 10, 12, 2, Duration.ZERO, OptionalLong.empty()).verdict())
                .isEqualTo("Elasticsearch: 12 of 10 records, 2 too many");
    }

    @Test
    void hasNoRateWithoutTime() {
        assertThat(new Result(Sink.ES, 0, 0, 0, Duration.ZERO, OptionalLong.of(1)).line())
                .endsWith("seconds=0.0 rate=0");
    }
}
