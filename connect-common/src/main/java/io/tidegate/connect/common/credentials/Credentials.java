package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/**
 * Who the sink is to a server that authenticates each request. The text form names the user at most, never a secret.
 *
 * @param name in words
 * @param header the value of every request's {@code Authorization} header; empty for none
 * @param provider gives headers for each request, which may be a signature; absent for none
 */
public record Credentials(String name, Password header, CredentialsSettings provider) {
    /** No credentials: a server without security. */
    public static final Credentials ANONYMOUS =
            new Credentials("anonymous", new Password(""), CredentialsSettings.ABSENT);

    public Credentials {
        requireNonNull(name, "name");
        requireNonNull(header, "header");
        requireNonNull(provider, "provider");
    }

    /** What a provider gives. */
    public static Credentials of(CredentialsSettings provider) {
        return new Credentials(provider.toString(), new Password(""), provider);
    }

    /** The first that is not empty: an API key, a bearer token, a user. */
    public static Credentials of(Password apiKey, Password token, String username, Password password) {
        if (!apiKey.value().isEmpty()) {
            return of("an API key", AuthenticationScheme.API_KEY, apiKey.value());
        }
        if (!token.value().isEmpty()) {
            return of("a bearer token", AuthenticationScheme.BEARER, token.value());
        }
        return username.isEmpty() ? ANONYMOUS : basic(username, password);
    }

    public static Credentials basic(String username, Password password) {
        return of("user " + username, AuthenticationScheme.BASIC, username + ":" + password.value());
    }

    private static Credentials of(String name, AuthenticationScheme scheme, String secret) {
        return new Credentials(name, new Password(scheme.header(secret)), CredentialsSettings.ABSENT);
    }

    /** The value of the {@code Authorization} header of every request, if there is one. A secret. */
    public Optional<String> authorization() {
        return Optional.of(header.value()).filter(value -> !value.isEmpty());
    }

    /** Whether requests carry something secret. */
    public boolean isSecret() {
        return authorization().isPresent() || !provider.isNone();
    }

    @Override
    public String toString() {
        return name;
    }
}
