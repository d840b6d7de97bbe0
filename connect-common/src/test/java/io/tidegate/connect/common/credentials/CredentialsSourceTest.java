package io.tidegate.connect.common.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.TestClock;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A provider that throws what it does not declare, as a library does whose configuration cannot be read. */
final class CredentialsSourceTest {
    private static final Login LOGIN = new Login("db", 5432, "tide");
    private static final HttpCall CALL =
            new HttpCall("GET", URI.create("http://es:9200/"), Map.of(), ByteBuffer.allocate(0));
    private static final Duration LIFE = Duration.ofMinutes(8);

    private final TestClock clock = new TestClock();
    private final Provider provider = new Provider();
    private final CredentialsSource source = new CredentialsSource("mine", provider, clock);

    private final class Provider implements CredentialsProvider {
        private boolean isBroken;

        @Override
        public Secret password(Login login) {
            throwIfBroken();
            return new Secret(
                    "given",
                    Optional.of(Instant.ofEpochMilli(clock.currentTimeMillis()).plus(LIFE)));
        }

        @Override
        public Map<String, String> headers(HttpCall call) {
            throwIfBroken();
            return Map.of();
        }

        private void throwIfBroken() {
            if (isBroken) {
                throw new IllegalStateException("no profile");
            }
        }
    }

    /** A connection pool would swallow another exception, and nobody would learn why there is no session. */
    @Test
    void hasNoCredentials() {
        provider.isBroken = true;

        assertThatThrownBy(() -> source.password(LOGIN))
                .isInstanceOf(CredentialsException.class)
                .hasMessage("connection.credentials.provider=mine has no credentials:"
                        + " java.lang.IllegalStateException: no profile");
        assertThatThrownBy(() -> source.headers(CALL)).isInstanceOf(CredentialsException.class);
    }

    @Test
    void isNotMissedBeforeItsPasswordExpires() throws Exception {
        assertThat(source.password(LOGIN)).isEqualTo("given");
        provider.isBroken = true;
        clock.advance(LIFE.minusSeconds(1));
        assertThat(source.password(LOGIN)).isEqualTo("given");

        clock.advance(Duration.ofSeconds(11));

        assertThatThrownBy(() -> source.password(LOGIN)).isInstanceOf(CredentialsException.class);
    }
}
