package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

/**
 * A session that is about to be opened.
 *
 * @param host as {@code connection.url} names it
 */
public record Login(String host, int port, String user) {
    public Login {
        requireNonNull(host, "host");
        requireNonNull(user, "user");
    }

    @Override
    public String toString() {
        return user + " at " + host + ":" + port;
    }
}
