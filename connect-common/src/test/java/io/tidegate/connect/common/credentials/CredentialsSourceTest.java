package io.tidegate.connect.common.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;

/** A provider that throws what it does not declare, as a library does whose configuration cannot be read. */
final class CredentialsSourceTest {
    private static final Login LOGIN = new Login("db", 5432, "tide");
    private static final HttpCall CALL =
            new HttpCall("GET", URI.create("http://es:9200/"), Map.of(), ByteBuffer.allocate(0));

    private final Provider provider = new Provider();
    private final CredentialsSource source = new CredentialsSource("mine", provider);

    private static final class Provider implements CredentialsProvider {
        private boolean isBroken;

        @Override
        public Password password(Login login) {
            throwIfBroken();
            return new Password("given");
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
    void hasNoCredentials() throws Exception {
        assertThat(source.password(LOGIN)).isEqualTo(new Password("given"));
        provider.isBroken = true;

        assertThatThrownBy(() -> source.password(LOGIN))
                .isInstanceOf(CredentialsException.class)
                .hasMessage("connection.credentials.provider=mine has no credentials:"
                        + " java.lang.IllegalStateException: no profile");
        assertThatThrownBy(() -> source.headers(CALL)).isInstanceOf(CredentialsException.class);
    }
}
