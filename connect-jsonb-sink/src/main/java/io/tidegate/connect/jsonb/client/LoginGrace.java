package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * How long a fault of the configuration is taken for an outage: for ever once a session has been opened, because then the
 * server has changed and may change back; otherwise for a while, because a server or its certificate may be just being set
 * up. The thread that opens.
 */
final class LoginGrace {
    static final Duration GRACE = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private boolean everOpened;
    private OptionalLong faultySince = OptionalLong.empty(); // nanoTime

    /** @param nanoTime the clock, as {@link System#nanoTime()} */
    LoginGrace(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** The configuration works. */
    void opened() {
        everOpened = true;
    }

    /** The error as it is to be treated. */
    SQLException judge(SQLException e) {
        if (everOpened || !PostgresFailures.isConfigurationFault(e)) {
            faultySince = OptionalLong.empty();
            return e;
        }
        long now = nanoTime.getAsLong();
        faultySince = OptionalLong.of(faultySince.orElse(now));
        return now - faultySince.getAsLong() < GRACE.toNanos() ? e : new Over(e);
    }

    /** Nobody but a human can help. */
    static final class Over extends SQLException {
        @Serial
        private static final long serialVersionUID = 1L;

        private Over(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause.getCause());
        }
    }
}
