package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The options that a session asks for at its start. Poolers, proxies and some platforms refuse some of them, each with
 * a different error, so refused options are left out. Options in the URL belong to the user and stay. Every session is
 * in UTC: the driver sets the worker's time zone, and then workers of two zones would read one text as two times. One
 * thread opens sessions.
 */
public final class SessionOptions {
    private static final Logger log = LoggerFactory.getLogger(SessionOptions.class);

    /**
     * The server notices a worker that vanished without closing: after 30 s of silence it sends 3 probes 10 s apart.
     */
    private static final String KEEP_ALIVE =
            "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

    /**
     * A statement waits so long for a lock, such as that of a {@code CREATE INDEX}. Then the records of its table are
     * postponed, and those of other tables are written.
     */
    private static final String LOCK_TIMEOUT = " -c lock_timeout=2s";

    private static final String UTC = "UTC";

    /** An error may have been of a moment, such as one at the server's start. So refused options are tried again. */
    private static final Duration FIRST_REPETITION = Duration.ofMinutes(1);

    private static final Duration LONGEST_REPETITION = Duration.ofDays(1);

    /**
     * In order of preference. After them comes a session that depends on nothing but the protocol: the driver then sends
     * its own settings at the start, and does not ask whether a single server is the primary.
     */
    private static final List<String> OPTIONS = List.of(
            // The server also notices while a statement runs or waits for a lock (PostgreSQL 14 and newer, not on
            // Windows).
            KEEP_ALIVE + LOCK_TIMEOUT + " -c client_connection_check_interval=10s",
            KEEP_ALIVE + LOCK_TIMEOUT,
            KEEP_ALIVE,
            // A pooler gets none of them, because it watches the server's side itself.
            "");

    private final PGSimpleDataSource source;
    private final ServerLogin login;
    private final ProvidedPasswords passwords;
    private final boolean areOurs;
    private final String versionInUrl; // null for none, as the driver has it
    private final boolean isAnyPrimary; // whether the only host is asked whether it is the primary
    private volatile int accepted; // index in OPTIONS; written by the thread that opens
    private final LongSupplier nanoTime;
    // Only the thread that opens uses these.
    private long refusedAt;
    private Duration untilRepeated = FIRST_REPETITION;
    private boolean saidZone;

    /**
     * Sets the options of the sessions that a source opens.
     *
     * @param login whose URL may contain the user's options
     */
    public SessionOptions(PGSimpleDataSource source, ServerLogin login, ProvidedPasswords passwords) {
        this(source, login, passwords, System::nanoTime);
    }

    SessionOptions(PGSimpleDataSource source, ServerLogin login, ProvidedPasswords passwords, LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.source = requireNonNull(source, "source");
        this.login = requireNonNull(login, "login");
        this.passwords = requireNonNull(passwords, "passwords");
        this.areOurs = !login.sets(PGProperty.OPTIONS);
        this.versionInUrl = source.getAssumeMinServerVersion();
        this.isAnyPrimary = source.getServerNames().length == 1
                && "primary".equals(source.getTargetServerType())
                && !login.sets(PGProperty.TARGET_SERVER_TYPE);
        if (areOurs) {
            source.setOptions(OPTIONS.get(0));
        }
    }

    /** Opens a session with as many of the options as the server accepts. */
    public Connection open() throws SQLException {
        if (accepted > 0 && nanoTime.getAsLong() - refusedAt >= untilRepeated.toNanos()) {
            accept(0);
            untilRepeated = untilRepeated.multipliedBy(2).compareTo(LONGEST_REPETITION) < 0
                    ? untilRepeated.multipliedBy(2)
                    : LONGEST_REPETITION;
        }
        while (true) {
            try {
                Connection session = inUtc(passwords.open(source));
                if (accepted == 0) {
                    untilRepeated = FIRST_REPETITION; // the server takes all of them, so what was refused is over
                }
                return session;
            } catch (SQLException e) {
                if (!areOurs || !ConnectionFailures.mayRefuseOptions(e)) {
                    throw e;
                }
                if (accepted == OPTIONS.size()) {
                    accept(0); // the options were not the cause
                    throw e;
                }
                accept(accepted + 1);
                refusedAt = nanoTime.getAsLong();
                log.info(
                        "{} refuses an option of the session ({}); trying with \"{}\"",
                        login,
                        PostgresFailures.describe(e),
                        Objects.toString(source.getOptions(), ""));
            }
        }
    }

    /** Costs a round trip where the worker's zone is another one. A pooler that knows the setting keeps it for us. */
    private Connection inUtc(Connection session) throws SQLException {
        if (UTC.equals(session.unwrap(PGConnection.class).getParameterStatus("TimeZone"))) {
            return session;
        }
        try (Statement statement = session.createStatement()) {
            statement.execute("SET TIME ZONE '" + UTC + "'");
        } catch (SQLException e) {
            boolean isRefused =
                    PostgresFailures.isUnsupported(e) || PostgresFailures.classifyWithoutRows(e) == Failure.FATAL;
            if (!isRefused) { // the server cannot now, and a session in another zone would read other times
                session.close();
                throw e;
            }
            if (!saidZone) {
                saidZone = true;
                log.warn(
                        "{} refuses the time zone UTC ({}): a time without a zone is read in the zone of the worker or"
                                + " of the role",
                        login,
                        PostgresFailures.describe(e));
            }
        }
        return session;
    }

    private void accept(int index) {
        accepted = index;
        boolean isBare = index == OPTIONS.size();
        String options = isBare ? "" : OPTIONS.get(index);
        source.setOptions(options.isEmpty() ? null : options); // an empty one would be sent, too
        source.setAssumeMinServerVersion(isBare ? "9.0" : versionInUrl);
        if (isAnyPrimary) {
            source.setTargetServerType(isBare ? "any" : "primary");
        }
    }
}
