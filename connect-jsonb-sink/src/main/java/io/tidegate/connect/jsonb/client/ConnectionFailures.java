package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.credentials.CredentialsException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Classifies the errors that opened no session: what they show about the login and the configuration. What they mean for
 * a batch is in the table of {@link PostgresFailures}.
 */
public final class ConnectionFailures {
    /** What says most about why no host opens a session comes first. A host that is no primary fits none. */
    private static final List<Predicate<SQLException>> BY_WEIGHT = List.of(
            ConnectionFailures::mayRefuseOptions, // with fewer of them, this host may open one
            ConnectionFailures::isLoginRefused,
            e -> PostgresFailures.serverError(e).isPresent(),
            ConnectionFailures::isWithoutCredentials);

    /** Source: PgBouncer's code, "disconnect_client". */
    private static final Pattern OUTAGE_BEHIND_POOLER =
            Pattern.compile("login has been failing|cannot connect to server|query_wait_timeout|server_login_retry"
                    + "|no more connections|login_timeout|idle_timeout|shutting down|server conn crashed");

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
     * Proxy 0A000, PostgreSQL 22023 or 42704. False if the server named a password, a database, a privilege, a lack of
     * connections or its own state, or was not reached. PgBouncer answers 08P01 also if it cannot reach the server.
     */
    static boolean mayRefuseOptions(SQLException e) {
        String state = stateOf(e);
        return state.equals(SqlState.PROTOCOL_VIOLATION)
                ? !OUTAGE_BEHIND_POOLER.matcher(String.valueOf(e.getMessage())).find()
                : Stream.of("08", "28", "3D", "42501", "53", "57").noneMatch(state::startsWith);
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

    private static String stateOf(SQLException e) {
        return PostgresFailures.stateOf(e).orElse(PostgresFailures.NO_STATE);
    }
}
