package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/** Who the sink is to the server. Printing one names the user at most, never a secret. */
public sealed interface Credentials {
    /** The value of the {@code Authorization} header of every request, if there is one. A secret. */
    Optional<String> authorization();

    /** The provider that is asked for each request, if there is one. */
    default CredentialsSettings provider() {
        return CredentialsSettings.ABSENT;
    }

    /** Whether requests carry something secret. */
    default boolean isSecret() {
        return authorization().isPresent() || !provider().isNone();
    }

    /** No credentials: a server without security. */
    record Anonymous() implements Credentials {
        @Override
        public Optional<String> authorization() {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return "anonymous";
        }
    }

    /** A user of the server. */
    record Basic(String username, Password password) implements Credentials {
        public Basic {
            requireNonNull(username, "username");
            requireNonNull(password, "password");
        }

        @Override
        public Optional<String> authorization() {
            return Optional.of("Basic " + base64(username + ":" + password.value()));
        }

        @Override
        public String toString() {
            return "user " + username;
        }
    }

    /** An API key: as Elasticsearch prints it ({@code encoded}), or {@code id:key}. */
    record ApiKey(Password key) implements Credentials {
        public ApiKey {
            requireNonNull(key, "key");
        }

        @Override
        public Optional<String> authorization() {
            String value = key.value();
            return Optional.of("ApiKey " + (value.indexOf(':') < 0 ? value : base64(value)));
        }

        @Override
        public String toString() {
            return "an API key";
        }
    }

    /** A bearer token: of a service account, or from an identity provider that the server trusts. */
    record Bearer(Password token) implements Credentials {
        public Bearer {
            requireNonNull(token, "token");
        }

        @Override
        public Optional<String> authorization() {
            return Optional.of("Bearer " + token.value());
        }

        @Override
        public String toString() {
            return "a bearer token";
        }
    }

    /** What a provider gives for each request. */
    record Provided(CredentialsSettings provider) implements Credentials {
        public Provided {
            requireNonNull(provider, "provider");
        }

        /** Empty: a provider may sign each request with another value. */
        @Override
        public Optional<String> authorization() {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return provider.toString();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
