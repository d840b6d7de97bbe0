package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client asks for credentials: a provider, the passwords that it gave until they expire, and its log. A worker's tasks
 * share it with the client. Any thread asks.
 */
public final class CredentialsSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CredentialsSource.class);

    private final String name;
    private final CredentialsProvider provider;
    private final Clock clock;
    private final Map<Login, ExpiringValue<String>> passwords =
            new ConcurrentHashMap<>(); // one for each host of the URL
    private volatile boolean failing;

    CredentialsSource(String name, CredentialsProvider provider, Clock clock) {
        this.name = requireNonNull(name, "name");
        this.provider = requireNonNull(provider, "provider");
        this.clock = requireNonNull(clock, "clock");
    }

    /**
     * The password for a session that is opened now.
     *
     * @throws CredentialsException when the provider has none now
     */
    public String password(Login login) throws CredentialsException {
        try {
            String password = passwords
                    .computeIfAbsent(login, any -> new ExpiringValue<>(() -> fetched(login), clock))
                    .get();
            worked();
            return password;
        } catch (CredentialsException e) {
            throw failed(e);
        }
    }

    private ExpiringValue.Fetched<String> fetched(Login login) throws CredentialsException {
        Secret secret = asked(() -> provider.password(login));
        return new ExpiringValue.Fetched<>(secret.value(), secret.expires());
    }

    /**
     * The headers of a request that is sent now.
     *
     * @throws CredentialsException when the provider has none now
     */
    public Map<String, String> headers(HttpCall call) throws CredentialsException {
        try {
            Map<String, String> headers = asked(() -> provider.headers(call));
            worked();
            return headers;
        } catch (CredentialsException e) {
            throw failed(e);
        }
    }

    /** The server has refused what was given: it is asked for afresh. */
    public void refused() {
        passwords.values().forEach(ExpiringValue::forget);
        provider.refused();
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws CredentialsException;
    }

    /** A provider may be a jar of the user's, or a library that throws more than it says. */
    private static <T> T asked(Question<T> question) throws CredentialsException {
        try {
            return question.ask();
        } catch (RuntimeException e) {
            throw new CredentialsException(e.toString(), e);
        }
    }

    private CredentialsException failed(CredentialsException e) {
        if (!failing) {
            failing = true;
            log.warn(
                    "The credentials provider {} has no credentials: {}; asking again when the next are needed",
                    name,
                    e.getMessage());
        }
        return new CredentialsException(
                CredentialsSettings.PROVIDER + "=" + name + " has no credentials: " + e.getMessage(), e);
    }

    private void worked() {
        if (failing) {
            failing = false;
            log.info("The credentials provider {} has credentials again", name);
        }
    }

    @Override
    public void close() {
        provider.close();
    }
}
