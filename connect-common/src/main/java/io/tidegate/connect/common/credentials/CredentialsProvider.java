package io.tidegate.connect.common.credentials;

import java.util.Map;
import org.apache.kafka.common.config.types.Password;

/**
 * Says who the sink is at the moment it is asked: a password for each session that is opened, headers for each request that
 * is sent. Any thread asks, several at a time. An answer may wait for another server, but not without a limit.
 */
public interface CredentialsProvider extends AutoCloseable {
    /**
     * The password for one session. It is not kept.
     *
     * @throws CredentialsException when there is none now; the sink waits and asks again
     */
    default Password password(Login login) throws CredentialsException {
        throw new CredentialsException("this provider has no passwords");
    }

    /**
     * The headers that authenticate one request. They are added to it, in place of those with the same names.
     *
     * @throws CredentialsException when there are none now; the sink waits and asks again
     */
    default Map<String, String> headers(HttpCall call) throws CredentialsException {
        throw new CredentialsException("this provider has no headers of requests");
    }

    /** The server has refused what was given. What the provider keeps should be fetched again. */
    default void refused() {}

    @Override
    default void close() {}
}
