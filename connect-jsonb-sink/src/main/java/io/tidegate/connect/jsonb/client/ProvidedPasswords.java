package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSource;
import io.tidegate.connect.common.credentials.Login;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Opens sessions with the password that a credentials provider gives for this host at this moment. A refused password is
 * asked for once more, because the provider may have kept an old one. Without a provider it does nothing. Several threads
 * may open sessions, each with its own data source.
 */
public final class ProvidedPasswords implements AutoCloseable {
    private final Optional<CredentialsSource> credentials;

    /** Opens a session with a password. */
    @FunctionalInterface
    public interface Opening {
        Connection open(String password) throws SQLException;
    }

    private ProvidedPasswords(Optional<CredentialsSource> credentials) {
        this.credentials = requireNonNull(credentials, "credentials");
    }

    /**
     * The passwords of a login.
     *
     * @throws org.apache.kafka.common.config.ConfigException when the settings of the provider cannot be used
     */
    public static ProvidedPasswords of(ServerLogin login) {
        return new ProvidedPasswords(login.credentials().open(Clock.SYSTEM));
    }

    /**
     * Opens a session to the first host of a data source that allows it. A password may be for one host only, so each host
     * is tried separately, in the order in which the driver would.
     *
     * @param password to use if there is no provider
     */
    public Connection open(BaseDataSource source, String password, Opening opening) throws SQLException {
        if (credentials.isEmpty()) {
            return opening.open(password);
        }
        String[] names = source.getServerNames();
        int[] ports = source.getPortNumbers();
        try {
            for (int host = 0; ; host++) {
                source.setServerNames(new String[] {names[host]});
                source.setPortNumbers(new int[] {ports[host]});
                try {
                    return open(new Login(names[host], ports[host], userOf(source)), opening);
                } catch (SQLException e) {
                    if (host == names.length - 1) {
                        throw e;
                    }
                }
            }
        } finally {
            source.setServerNames(names);
            source.setPortNumbers(ports);
        }
    }

    private Connection open(Login login, Opening opening) throws SQLException {
        String given = ask(login);
        try {
            return opening.open(given);
        } catch (SQLException e) {
            if (!ConnectionFailures.isLoginRefused(e)) {
                throw e;
            }
            credentials.orElseThrow().refused();
            String fresh = ask(login);
            if (fresh.equals(given)) {
                throw e;
            }
            return opening.open(fresh);
        }
    }

    private String ask(Login login) throws SQLException {
        try {
            return credentials.orElseThrow().password(login);
        } catch (CredentialsException e) {
            throw new SQLException(
                    "there is no password for " + login + ": " + e.getMessage(), SqlState.UNABLE_TO_CONNECT, e);
        }
    }

    /** As the driver chooses it. */
    private static String userOf(BaseDataSource source) {
        return Optional.ofNullable(source.getUser()).orElseGet(() -> System.getProperty("user.name", ""));
    }

    @Override
    public void close() {
        credentials.ifPresent(CredentialsSource::close);
    }
}
