package io.tidegate.connect.common.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ExpiringValueTest {
    private static final Duration LIFE = Duration.ofMinutes(15);

    private final TestClock clock = new TestClock();
    private Optional<Duration> life = Optional.of(LIFE);
    private boolean isOut;
    private int fetched;
    private final ExpiringValue<Integer> value = new ExpiringValue<>(this::fetch, clock);

    private ExpiringValue.Fetched<Integer> fetch() throws CredentialsException {
        if (isOut) {
            throw new CredentialsException("out");
        }
        fetched++;
        return new ExpiringValue.Fetched<>(fetched, life.map(Instant.ofEpochMilli(clock.currentTimeMillis())::plus));
    }

    @Test
    void isKeptUntilShortlyBeforeItExpires() throws Exception {
        assertThat(value.get()).isEqualTo(1);
        clock.advance(LIFE.minus(ExpiringValue.AHEAD).minusMillis(1));
        assertThat(value.get()).isEqualTo(1);

        clock.advance(Duration.ofMillis(1));

        assertThat(value.get()).isEqualTo(2);
        assertThat(value.get()).isEqualTo(2);
    }

    @Test
    void aShortLifeIsUsedForThreeQuarters() throws Exception {
        life = Optional.of(Duration.ofSeconds(40));
        assertThat(value.get()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(29));
        assertThat(value.get()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(value.get()).isEqualTo(2);
    }

    @Test
    void withoutAnEndItIsFetchedEachTime() throws Exception {
        life = Optional.empty();
        assertThat(value.get()).isEqualTo(1);
        assertThat(value.get()).isEqualTo(2);
    }

    @Test
    void theOldOneServesUntilItsEndWhileNoneCanBeFetched() throws Exception {
        assertThat(value.get()).isEqualTo(1);
        isOut = true;
        clock.advance(LIFE.minus(ExpiringValue.AHEAD));
        assertThat(value.get()).isEqualTo(1);

        isOut = false;
        assertThat(value.get()).as("not asked for again at once").isEqualTo(1);
        clock.advance(ExpiringValue.PAUSE);
        assertThat(value.get()).isEqualTo(2);

        isOut = true;
        clock.advance(LIFE);
        assertThatThrownBy(value::get).isInstanceOf(CredentialsException.class).hasMessage("out");
    }

    @Test
    void whatWasRefusedIsFetchedAgainUnlessItIsNew() throws Exception {
        assertThat(value.get()).isEqualTo(1);
        value.forget();
        assertThat(value.get()).as("just fetched").isEqualTo(1);

        clock.advance(ExpiringValue.FRESH);
        value.forget();
        assertThat(value.get()).isEqualTo(2);
    }
}
