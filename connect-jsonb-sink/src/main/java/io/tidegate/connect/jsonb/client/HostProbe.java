package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.HostSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one host of the URL whether it is the primary. It keeps its session while questions follow. One thread asks and
 * reads the answers, and never waits. An executor's threads fetch the answers, one at a time.
 */
final class HostProbe {
    private static final Logger log = LoggerFactory.getLogger(HostProbe.class);

    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** Seconds for a connection and for each answer. The driver has no smaller unit. */
    private static final int TIMEOUT = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** How long an answer counts. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    /** The role that a host shows. */
    enum Role {
        /** It takes writes. */
        PRIMARY,
        /** It answers but takes no writes: it is a standby, or it is starting or stopping. */
        NO_PRIMARY,
        SILENT,
        /** It was not asked yet, or its answer does not tell: the password is wrong, or no connection is left. */
        UNKNOWN
    }

    /**
     * What a host answered.
     *
     * @param identity of a primary; empty if the server does not tell it
     * @param at time of the answer, by {@link System#nanoTime()}
     */
    private record Answer(Role role, Optional<ServerIdentity> identity, long at) {
        static Answer now(Role role, Optional<ServerIdentity> identity) {
            return new Answer(role, identity, System.nanoTime());
        }
    }

    private final HostSpec host;
    private final ProvidedPasswords passwords;
    private final PGSimpleDataSource source;
    private final Executor threads;
    private long askedAt = System.nanoTime() - INTERVAL.toNanos(); // only the asking thread uses it
    private volatile boolean isAsking;
    private volatile boolean closed;
    private volatile Answer last = Answer.now(Role.UNKNOWN, Optional.empty());
    private Optional<Connection> session = Optional.empty(); // guarded by this

    HostProbe(ServerLogin login, ProvidedPasswords passwords, HostSpec host, Executor threads) {
        this.passwords = requireNonNull(passwords, "passwords");
        this.host = requireNonNull(host, "host");
        this.threads = requireNonNull(threads, "threads");
        this.source = source(login, host);
    }

    private static PGSimpleDataSource source(ServerLogin login, HostSpec host) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        login.apply(source);
        source.setServerNames(new String[] {host.getHost()});
        source.setPortNumbers(new int[] {host.getPort()});
        source.setTargetServerType("any");
        source.setApplicationName("tidegate looks for the primary");
        source.setConnectTimeout(TIMEOUT);
        source.setSocketTimeout(TIMEOUT);
        source.setLoginTimeout(TIMEOUT);
        return source;
    }

    HostSpec host() {
        return host;
    }

    /** What is known now. A host that does not answer in time counts as silent. */
    Role role() {
        long now = System.nanoTime();
        if (isAsking && now - askedAt > PATIENCE.toNanos()) {
            return Role.SILENT;
        }
        Answer present = last;
        return now - present.at() > FRESH.toNanos() ? Role.UNKNOWN : present.role();
    }

    /** The primary's timeline; empty if the server knows none. */
    String timeline() {
        return identity().map(ServerIdentity::timeline).orElse("");
    }

    /** Which server the primary is; empty if it does not tell. */
    Optional<ServerIdentity> identity() {
        return last.identity();
    }

    /** Asks the host. Does nothing if it was asked less than {@link #INTERVAL} ago, or has not answered yet. */
    void ask() {
        long now = System.nanoTime();
        if (!isAsking && now - askedAt >= INTERVAL.toNanos()) {
            askedAt = now;
            isAsking = true;
            threads.execute(this::fetch);
        }
    }

    /** Ends the session. The next question opens a new one. */
    void forget() {
        threads.execute(this::closeSession);
    }

    /** Ends the session. If an answer is outstanding, the session ends after it. */
    void close() {
        closed = true;
        forget();
    }

    private synchronized void fetch() {
        try {
            if (session.isEmpty()) {
                session = Optional.of(passwords.open(source, source.getUser(), source.getPassword()));
            }
            last = answer(session.get());
        } catch (SQLException e) {
            log.debug("{} does not say whether it is the primary", host, e);
            last = Answer.now(ConnectionFailures.roleOf(e), Optional.empty());
            closeSession();
        } finally {
            isAsking = false;
        }
        if (closed) {
            closeSession();
        }
    }

    private static Answer answer(Connection session) throws SQLException {
        Optional<String> readOnly = // the driver asks the same
                Rows.first(session, "SHOW transaction_read_only", row -> row.getString(1));
        return readOnly.filter("on"::equals).isPresent()
                ? Answer.now(Role.NO_PRIMARY, Optional.empty())
                : Answer.now(Role.PRIMARY, ServerIdentity.of(session));
    }

    private synchronized void closeSession() {
        try {
            if (session.isPresent()) {
                session.get().close();
            }
        } catch (SQLException e) {
            log.debug("A session to {} did not close cleanly", host, e);
        }
        session = Optional.empty();
    }
}
