package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.credentials.CredentialsException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Says what an error shows that opened no session: about the login, the configuration and the host. What it means for a
 * batch is in the table of {@link PostgresFailures}.
 */
public final class ConnectionFailures {
    private static final List<Class<? extends Exception>> CONFIGURATION_FAULTS = List.of(
            GeneralSecurityException.class,
            SSLPeerUnverifiedException.class,
            FileNotFoundException.class,
            NoSuchFileException.class);

    /** What says most about why no host opens a session comes first. A host that is no primary fits none. */
    private static final List<Predicate<SQLException>> BY_WEIGHT = List.of(
            ConnectionFailures::mayRefuseOptions, // with fewer of them, this host may open one
            ConnectionFailures::isLoginRefused,
            e -> PostgresFailures.serverError(e).isPresent(),
            ConnectionFailures::isConfigurationFault,
            ConnectionFailures::isWithoutCredentials);

    private ConnectionFailures() {}

    /** The error that says most, with the others as suppressed ones. Of equal ones the last, as the driver does. */
    static SQLException mostTelling(List<SQLException> ofHosts) {
        SQLException telling = ofHosts.stream()
                .reduce((one, next) -> weight(one) < weight(next) ? one : next)
                .orElseThrow();
        ofHosts.stream().filter(e -> e != telling).forEach(telling::addSuppressed);
        return telling;
    }

    private static int weight(SQLException e) {
        return (int) BY_WEIGHT.stream().takeWhile(kind -> !kind.test(e)).count();
    }

    /** Whether another user, password, host or database might be accepted. */
    public static boolean isAccessRefused(SQLException e) {
        String state = stateOf(e);
        return Stream.of("08", "28", "3D", "42501").anyMatch(state::startsWith);
    }

    /**
     * Whether a server that did not open a session may have refused one of its options. PgBouncer answers 08P01, RDS
     * Proxy 0A000, PostgreSQL 22023 or 42704. False if the server named a password, a database, a lack of connections
     * or its own state, or was not reached.
     */
    static boolean mayRefuseOptions(SQLException e) {
        String state = stateOf(e);
        return state.equals(SqlState.PROTOCOL_VIOLATION)
                || Stream.of("08", "28", "3D", "53", "57").noneMatch(state::startsWith);
    }

    /**
     * Whether no session can be opened until someone changes the configuration or the server's certificate. The driver
     * has no password, TLS is refused, a certificate is not trusted, or a certificate file is missing. An error from
     * the server is not such a fault. If the certificate does not name the host, pgjdbc gives no cause. A credentials
     * provider without a password is none either: what it asks may answer later.
     */
    static boolean isConfigurationFault(SQLException e) {
        if (PostgresFailures.serverError(e).isPresent() || isWithoutCredentials(e)) {
            return false;
        }
        String state = stateOf(e);
        return state.equals(SqlState.CONNECTION_REFUSED)
                || (state.equals(SqlState.CONNECTION_FAILURE) && e.getCause() == null)
                || Stream.<Throwable>iterate(e, cause -> cause != null, Throwable::getCause)
                        .anyMatch(cause -> CONFIGURATION_FAULTS.stream().anyMatch(fault -> fault.isInstance(cause)));
    }

    /** Whether the server does not accept the user with this password. AWS answers 28000 to an expired token. */
    static boolean isLoginRefused(SQLException e) {
        String state = stateOf(e);
        return state.equals(SqlState.INVALID_PASSWORD) || state.equals(SqlState.INVALID_AUTHORIZATION);
    }

    /** Whether a provider had no password, so that the server was not asked. */
    public static boolean isWithoutCredentials(SQLException e) {
        return e.getCause() instanceof CredentialsException;
    }

    /**
     * What an error instead of an answer shows about a host. A server that reports an error is running, but a pooler's
     * 08 error is about the server behind it.
     */
    static HostProbe.Role roleOf(SQLException e) {
        String state = stateOf(e);
        if (isWithoutCredentials(e)) {
            return HostProbe.Role.UNKNOWN;
        }
        if (PostgresFailures.serverError(e).isEmpty() || state.startsWith("08")) {
            return HostProbe.Role.SILENT;
        }
        return state.startsWith("57") ? HostProbe.Role.NO_PRIMARY : HostProbe.Role.UNKNOWN;
    }

    private static String stateOf(SQLException e) {
        return PostgresFailures.stateOf(e).orElse(PostgresFailures.NO_STATE);
    }
}
