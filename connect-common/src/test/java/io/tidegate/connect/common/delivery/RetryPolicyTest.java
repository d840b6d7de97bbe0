package io.tidegate.connect.common.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.settings.RetrySettings;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    private static RetryPolicy policy(int maxRetries, Duration timeout) {
        return new RetryPolicy(new RetrySettings(maxRetries, Duration.ofMillis(100), Duration.ofSeconds(10), timeout));
    }

    private static Duration pause(int attempts, double dice) {
        return policy(RetrySettings.UNLIMITED, Duration.ZERO).pause(attempts, dice, Optional.empty());
    }

    private static Duration pauseAsked(Duration retryAfter) {
        return policy(RetrySettings.UNLIMITED, Duration.ZERO).pause(1, 0.5, Optional.of(retryAfter));
    }

    @Test
    void doublesTheBoundFromAttemptToAttempt() {
        assertThat(pause(1, 0.5)).isEqualTo(Duration.ofMillis(50));
        assertThat(pause(2, 0.5)).isEqualTo(Duration.ofMillis(100));
        assertThat(pause(5, 0.5)).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void neverPausesForLongerThanTheLongestBackoff() {
        assertThat(pause(8, ALMOST_ONE)).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(pause(Integer.MAX_VALUE, ALMOST_ONE)).isBetween(Duration.ofMillis(9_999), Duration.ofSeconds(10));
    }

    @Test
    void letsTheLongestBackoffBoundTheFirstPauseToo() {
        RetryPolicy policy = new RetryPolicy(new RetrySettings(
                RetrySettings.UNLIMITED, Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ZERO));

        assertThat(policy.pause(1, 0.5, Optional.empty())).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void pausesForAnyPartOfTheBound() {
        assertThat(pause(1, 0)).isZero();
        assertThat(pause(1, 0.25)).isEqualTo(Duration.ofMillis(25));
    }

    @Test
    void waitsAsLongAsTheServerAsks() {
        assertThat(pauseAsked(Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(pauseAsked(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void doesNotWaitForLongerThanTheLongestBackoffEvenWhenAsked() {
        assertThat(pauseAsked(Duration.ofDays(1))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void allowsEveryRetryWhereNothingBoundsThem() {
        assertThat(policy(RetrySettings.UNLIMITED, Duration.ZERO).forbidden(1_000_000, Duration.ofDays(30)))
                .isEmpty();
    }

    @Test
    void namesTheNumberOfRetriesThatIsExhausted() {
        RetryPolicy policy = policy(2, Duration.ZERO);

        assertThat(policy.forbidden(2, Duration.ZERO)).isEmpty();
        assertThat(policy.forbidden(3, Duration.ZERO)).hasValue("max.retries=2");
    }

    @Test
    void namesTheTimeThatIsOver() {
        RetryPolicy policy = policy(RetrySettings.UNLIMITED, Duration.ofSeconds(30));

        assertThat(policy.forbidden(9, Duration.ofMillis(29_999))).isEmpty();
        assertThat(policy.forbidden(9, Duration.ofSeconds(30))).hasValue("retry.timeout.ms=30000");
    }
}
