package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.spi.ServerCheck.Finding;
import io.tidegate.connect.jsonb.client.ConnectionFailures;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Explains why a connection could not be opened, and names the setting that decides it. Pure. */
final class ConnectProblem {
    private final ConnectionSettings settings;
    private final String server;

    ConnectProblem(ConnectionSettings settings) {
        this.settings = requireNonNull(settings, "settings");
        this.server = "PostgreSQL " + settings.server();
    }

    Finding explain(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (ConnectionFailures.isWithoutCredentials(e)) {
            return Finding.unavailable(CredentialsSettings.PROVIDER, server + " was not asked: " + e.getMessage());
        }
        String said = PostgresFailures.describe(e);
        return switch (state) {
            case SqlState.INVALID_PASSWORD -> Finding.wrong(passwordKey(), server + " refuses the password: " + said);
            case SqlState.INVALID_AUTHORIZATION ->
                Finding.wrong(
                        ConnectionSettings.USER,
                        server + " rejects the login: " + said
                                + ". It may lack the role or its LOGIN, or a line in pg_hba.conf");
            case SqlState.UNDEFINED_DATABASE ->
                Finding.wrong(ConnectionSettings.URL, server + " has no such database: " + said);
            case SqlState.INSUFFICIENT_PRIVILEGE ->
                Finding.wrong(
                        ConnectionSettings.USER,
                        server + " lacks a grant for the user: " + said + ". Grant CONNECT on the database");
            case SqlState.TOO_MANY_CONNECTIONS ->
                Finding.unavailable(
                        ConnectionSettings.POOL_MAX_SIZE,
                        server + " has no connection left to give: " + said
                                + ". Raise its max_connections or the role's CONNECTION LIMIT, or lower "
                                + ConnectionSettings.POOL_MAX_SIZE + " of those who use it");
            case SqlState.CONNECTION_REFUSED -> driverRefuses(said);
            default -> byCause(e, said);
        };
    }

    private String passwordKey() {
        return settings.login().credentials().isNone() ? ConnectionSettings.PASSWORD : CredentialsSettings.PROVIDER;
    }

    private Finding driverRefuses(String said) {
        boolean hasPassword = !settings.login().password().value().isEmpty()
                || !settings.login().credentials().isNone();
        return Finding.wrong(
                hasPassword ? ConnectionSettings.URL : passwordKey(),
                server + " rejects the login: " + said
                        + (hasPassword
                                ? ". If it has no TLS, use sslmode=prefer or disable in the URL"
                                : ". Set " + ConnectionSettings.PASSWORD));
    }

    private Finding byCause(SQLException e, String said) {
        if (cause(e, UnknownHostException.class).isPresent()) {
            return Finding.unavailable(
                    ConnectionSettings.URL,
                    server + " has a host name that this worker cannot resolve: " + said
                            + ". Check its spelling and the worker's DNS");
        }
        Optional<SSLException> tls = cause(e, SSLException.class);
        if (tls.isPresent()) {
            return Finding.wrong(
                    ConnectionSettings.URL,
                    server + " and this worker cannot agree on TLS: " + said + ": "
                            + tls.get().getMessage()
                            + ". In the URL, sslrootcert names the CA file, and sslmode=verify-full needs a host name that"
                            + " the server's certificate names");
        }
        if (cause(e, SocketTimeoutException.class).isPresent()) {
            return Finding.unavailable(
                    ConnectionSettings.URL,
                    server + " does not answer: " + said
                            + ". Check host and port, and that no firewall drops packets between worker and server");
        }
        if (cause(e, ConnectException.class).isPresent()
                || cause(e, NoRouteToHostException.class).isPresent()) {
            return Finding.unavailable(
                    ConnectionSettings.URL,
                    server + " cannot be reached: " + said + ". Check host and port, and that the server runs");
        }
        return Finding.unavailable(ConnectionSettings.URL, server + " cannot be connected to: " + said);
    }

    private static <T extends Throwable> Optional<T> cause(Throwable e, Class<T> type) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }
}
