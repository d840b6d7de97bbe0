package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Decides how long a configuration fault counts as an outage. Once a session has been opened, a fault always counts as
 * one: the server has changed and may change back. Before that it counts for {@link #GRACE}: someone may still be
 * setting up the server or its certificate. Only the thread that opens sessions uses it.
 */
final class LoginGrace {
    static final Duration GRACE = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private final boolean asksProvider;
    private boolean everOpened;
    private OptionalLong faultySince = OptionalLong.empty(); // nanoTime of the first fault in a row

    /**
     * @param nanoTime the clock, as {@link System#nanoTime()}
     * @param asksProvider whether a provider gives the passwords. Then a refused one is a configuration fault, because
     *     the server may know the next password before the provider does
     */
    LoginGrace(LongSupplier nanoTime, boolean asksProvider) {
        this.asksProvider = asksProvider;
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** A session was opened, so the configuration works. */
    void opened() {
        everOpened = true;
    }

    /** Returns the error, or {@link Over} if the grace period has ended. */
    SQLException judge(SQLException error) {
        SQLException e = asksProvider && ConnectionFailures.isLoginRefused(error) ? waitingForNext(error) : error;
        if (everOpened || !ConnectionFailures.isConfigurationFault(e)) {
            faultySince = OptionalLong.empty();
            return e;
        }
        long now = nanoTime.getAsLong();
        faultySince = OptionalLong.of(faultySince.orElse(now));
        return now - faultySince.getAsLong() < GRACE.toNanos() ? e : new Over(e);
    }

    private static SQLException waitingForNext(SQLException refused) {
        return new SQLException(
                "the server refuses what the credentials provider gives: " + PostgresFailures.describe(refused),
                SqlState.CONNECTION_REFUSED,
                refused);
    }

    /** The grace period has ended: only a person can fix the configuration. */
    static final class Over extends SQLException {
        @Serial
        private static final long serialVersionUID = 1L;

        private Over(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause.getCause());
        }
    }
}
