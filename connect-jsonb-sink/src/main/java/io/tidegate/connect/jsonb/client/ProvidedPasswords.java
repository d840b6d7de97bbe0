package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSource;
import io.tidegate.connect.common.credentials.Login;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Opens sessions with the password that a credentials provider gives for this host at this moment. The provider forgets a
 * refused password, so the next attempt gets the next one. Without a provider it opens them as the driver does. Several
 * threads may open sessions.
 */
public final class ProvidedPasswords implements AutoCloseable {
    static final List<String> PRIMARY = List.of("primary", "master");

    private final Optional<CredentialsSource> credentials;

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
     * Opens a session to the first host of a data source that allows it. A password may be for one host only, and of
     * several hosts the driver throws the last one's error, which is only that it is no primary. So each host is tried
     * separately, in the order of the data source, which stays as it is.
     *
     * @param source with a user, unless the driver chooses it, and with the password to use if there is no provider
     * @throws SQLException the error of a host that says most about why there is no session
     */
    public Connection open(BaseDataSource source) throws SQLException {
        if (credentials.isEmpty() && !isPrimarySought(source)) {
            return DriverManager.getConnection(source.getUrl(), source.getUser(), source.getPassword());
        }
        String[] names = source.getServerNames();
        int[] ports = source.getPortNumbers();
        List<SQLException> failures = new ArrayList<>();
        for (int host = 0; host < names.length; host++) {
            try {
                return open(
                        toHost(source, names[host], ports[host]),
                        new Login(names[host], ports[host], nameOf(source.getUser())),
                        source);
            } catch (SQLException e) {
                failures.add(e);
            }
        }
        throw ConnectionFailures.mostTelling(failures);
    }

    /** Otherwise the driver's choice depends on all hosts. */
    private static boolean isPrimarySought(BaseDataSource source) throws SQLException {
        return source.getServerNames().length > 1
                && PRIMARY.contains(source.getTargetServerType())
                && !Boolean.parseBoolean(source.getProperty(PGProperty.LOAD_BALANCE_HOSTS));
    }

    private static BaseDataSource toHost(BaseDataSource source, String name, int port) {
        PGSimpleDataSource one = new PGSimpleDataSource();
        one.setUrl(source.getUrl());
        one.setServerNames(new String[] {name});
        one.setPortNumbers(new int[] {port});
        return one;
    }

    private Connection open(BaseDataSource host, Login login, BaseDataSource source) throws SQLException {
        if (credentials.isEmpty()) {
            return host.getConnection(source.getUser(), source.getPassword());
        }
        try {
            return host.getConnection(login.user(), ask(login));
        } catch (SQLException e) {
            if (ConnectionFailures.isLoginRefused(e)) {
                credentials.orElseThrow().refused();
            }
            throw e;
        }
    }

    private String ask(Login login) throws SQLException {
        try {
            return credentials.orElseThrow().password(login).value();
        } catch (CredentialsException e) {
            throw new SQLException(
                    "there is no password for " + login + ": " + e.getMessage(), SqlState.UNABLE_TO_CONNECT, e);
        }
    }

    /** As the driver chooses it. */
    private static String nameOf(String user) {
        return Optional.ofNullable(user).orElseGet(() -> System.getProperty("user.name", ""));
    }

    @Override
    public void close() {
        credentials.ifPresent(CredentialsSource::close);
    }
}
