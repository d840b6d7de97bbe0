package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client asks for credentials: a provider, and its log. A worker's tasks share it with the client. Any thread asks. */
public final class CredentialsSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CredentialsSource.class);

    private final String name;
    private final CredentialsProvider provider;
    private volatile boolean failing;

    CredentialsSource(String name, CredentialsProvider provider) {
        this.name = requireNonNull(name, "name");
        this.provider = requireNonNull(provider, "provider");
    }

    /**
     * The password for a session that is opened now.
     *
     * @throws CredentialsException when the provider has none now
     */
    public Password password(Login login) throws CredentialsException {
        return asked(() -> provider.password(login));
    }

    /**
     * The headers of a request that is sent now.
     *
     * @throws CredentialsException when the provider has none now
     */
    public Map<String, String> headers(HttpCall call) throws CredentialsException {
        return asked(() -> provider.headers(call));
    }

    /** The server has refused what was given: it is fetched again. */
    public void refused() {
        provider.refused();
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws CredentialsException;
    }

    /** A provider may be a jar of the user's, or a library that throws more than it says. */
    private <T> T asked(Question<T> question) throws CredentialsException {
        try {
            T answer = question.ask();
            worked();
            return answer;
        } catch (CredentialsException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            throw failed(new CredentialsException(e.toString(), e));
        }
    }

    private CredentialsException failed(CredentialsException e) {
        if (!failing) {
            failing = true;
            log.warn(
                    "The credentials provider {} has no credentials: {}; the next request asks again",
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
