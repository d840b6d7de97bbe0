package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the sessions of a pool. It sets driver properties that an unattended client needs; the URL may override them.
 * The pool's own thread opens sessions. Any thread may close it.
 */
final class PostgresDataSource extends PGSimpleDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger log = LoggerFactory.getLogger(PostgresDataSource.class);

    /**
     * Types that are sent in binary: jsonb, int4, int8 and timestamptz, and the arrays of text, int4, int8, timestamptz,
     * bool, int2, float4, float8, numeric, uuid, date, time, timestamp and bytea. Their OIDs are fixed in PostgreSQL's
     * {@code pg_type.dat}.
     */
    private static final String BINARY_OIDS =
            "3802,23,20,1184,1009,1007,1016,1185,1000,1005,1021,1022,1231,2951,1182,1183,1115,1001";

    /** After this time without the error, a full server is logged again. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** For each host: connect, ask for TLS, try again without TLS, log in. */
    static final int STEPS_OF_LOGIN = 4;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final transient ServerLogin login;
    private final transient BooleanSupplier isWanted;
    private final transient Consumer<String> evictAll;
    private final transient SeenServers seen = new SeenServers();
    private final transient Optional<WatchedSockets> sockets;
    private final transient Optional<PrimaryWatch> primary; // empty if the URL does not ask for the primary
    private final transient SessionOptions options;
    private final transient ProvidedPasswords passwords;
    private final transient Optional<Duration> socketTimeout; // empty if the URL sets it
    private transient OptionalLong lastFull = OptionalLong.empty(); // nanoTime; only the opening thread uses it
    private transient volatile Optional<Failed> lastFailure = Optional.empty(); // written by the opening thread
    private final transient LongAdder opened = new LongAdder();
    private transient volatile boolean isIsolationKnown; // to the pool
    private transient volatile boolean closed;

    /**
     * Opens sessions for a pool.
     *
     * @param sessionName the first name of each session
     * @param isWanted whether a caller waits for a session
     * @param evictAll closes every session of the pool, for the given reason
     */
    PostgresDataSource(
            ServerLogin login,
            PoolLimits limits,
            String sessionName,
            BooleanSupplier isWanted,
            Consumer<String> evictAll) {
        this.login = login;
        this.evictAll = evictAll;
        this.isWanted = isWanted;
        login.apply(this);
        this.passwords = ProvidedPasswords.of(login);
        setDefault(PGProperty.APPLICATION_NAME, sessionName);
        setDefault(PGProperty.BINARY_TRANSFER_ENABLE, BINARY_OIDS);
        setDefault(PGProperty.PREPARE_THRESHOLD, "0"); // a pooler between us and the server may share connections
        setDefault(PGProperty.TARGET_SERVER_TYPE, "primary");
        setDefault(PGProperty.TCP_KEEP_ALIVE, "true");
        this.socketTimeout = limit(limits);
        if (setDefault(PGProperty.SOCKET_FACTORY, WatchedSocketFactory.class.getName())) {
            this.sockets = Optional.of(
                    new WatchedSockets(login.toString(), socketTimeout.orElse(Duration.ZERO), seen::appearances));
            setProperty(PGProperty.SOCKET_FACTORY_ARG, sockets.get().name());
        } else {
            this.sockets = Optional.empty(); // the URL names its own factory
        }
        this.primary = sockets.flatMap(watched -> watchPrimary(watched, evictAll));
        this.options = new SessionOptions(this, login, passwords);
    }

    private Optional<PrimaryWatch> watchPrimary(WatchedSockets watched, Consumer<String> evictAll) {
        boolean isBalanced = Boolean.parseBoolean(getProperty(PGProperty.LOAD_BALANCE_HOSTS));
        if (isBalanced || !ProvidedPasswords.PRIMARY.contains(getTargetServerType())) {
            return Optional.empty();
        }
        setDefault(PGProperty.HOST_RECHECK_SECONDS, "0"); // a host's role may have changed since
        return Optional.of(new PrimaryWatch(login, passwords, watched, seen, evictAll));
    }

    /** Returns how long the answers of an open session may take; empty if the URL sets it. */
    private Optional<Duration> limit(PoolLimits limits) {
        String seconds = seconds(limits.connectTimeout());
        setDefault(PGProperty.CONNECT_TIMEOUT, seconds);
        String millis = Long.toString(limits.connectTimeout().toMillis());
        setDefault(PGProperty.SSL_RESPONSE_TIMEOUT, millis);
        setDefault(PGProperty.GSS_RESPONSE_TIMEOUT, millis);
        int steps = STEPS_OF_LOGIN * getServerNames().length;
        setDefault(PGProperty.LOGIN_TIMEOUT, seconds(limits.connectTimeout().multipliedBy(steps)));
        // Until the session is open: a host that accepts but then stays silent must not delay the next host.
        return setDefault(PGProperty.SOCKET_TIMEOUT, seconds) ? Optional.of(limits.socketTimeout()) : Optional.empty();
    }

    /** Ignores the pool's value. That is the time a borrower waits, which may be too short to reach the last host. */
    @Override
    public void setLoginTimeout(int seconds) {
        // The URL's value, or ours, stays.
    }

    private static String seconds(Duration duration) {
        return Long.toString((duration.toMillis() + 999) / 1000);
    }

    private boolean setDefault(PGProperty property, String value) {
        boolean ours = !login.sets(property);
        if (ours) {
            setProperty(property, value);
        }
        return ours;
    }

    /** Opens no more sessions. A session that is being opened is closed at once. */
    synchronized void close() {
        closed = true;
        sockets.ifPresent(WatchedSockets::close);
        primary.ifPresent(PrimaryWatch::close);
        passwords.close();
        notifyAll();
    }

    /** The number of sessions that were opened. Any thread may call it. */
    long openedTotal() {
        return opened.sum();
    }

    /**
     * An attempt to open a session.
     *
     * @param at when it failed, as {@link System#nanoTime()}
     */
    record Failed(SQLException reason, long at) {}

    /** How the last attempt to open a session failed; empty if it succeeded. Any thread may call it. */
    Optional<Failed> lastFailure() {
        return lastFailure;
    }

    /**
     * Tries again while a caller waits for the session and the error is transient. The pool's own pauses between
     * attempts grow to 5 s, which would slow down a failover.
     */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        long pause = FIRST_PAUSE.toMillis();
        while (true) {
            try {
                Connection usable = opened();
                lastFailure = Optional.empty();
                opened.increment();
                return usable;
            } catch (SQLException error) {
                SQLException e = meaning(error);
                lastFailure = Optional.of(new Failed(e, System.nanoTime()));
                reportFull(e);
                if (PostgresFailures.classifyWithoutRows(e) != Failure.TRANSIENT || !isWantedAfter(pause)) {
                    throw e;
                }
            }
            pause = Math.min(LONGEST_PAUSE.toMillis(), 2 * pause);
        }
    }

    /** A login that is refused with a provider's password is an outage: the server may know the next password before. */
    private SQLException meaning(SQLException error) {
        return login.credentials().isNone() || !ConnectionFailures.isLoginRefused(error)
                ? error
                : new SQLException(
                        "the server refuses what the credentials provider gives: " + PostgresFailures.describe(error),
                        SqlState.CONNECTION_REFUSED,
                        error);
    }

    private Connection opened() throws SQLException {
        primary.ifPresent(watch -> watch.arrange(this));
        long start = System.nanoTime();
        Connection session = options.open();
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        try {
            if (closed) { // the pool would forget it
                throw new SQLException(
                        "the pool was closed while the connection was opened", SqlState.CONNECTION_DOES_NOT_EXIST);
            }
            SessionDurability.apply(session, login.durability());
            sockets.ifPresent(watched -> watched.opened(session));
            if (primary.isPresent()) {
                primary.get().opened(session, taken);
            }
            identify(session);
            Connection known = isIsolationKnown ? session : withIsolation(session, isolation(session));
            if (socketTimeout.isPresent()) { // last: the questions before it belong to the opening
                session.setNetworkTimeout(
                        Runnable::run, (int) socketTimeout.get().toMillis());
            }
            return known;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    /** Asks the server. A server that cannot tell has none. */
    private static int isolation(Connection session) throws SQLException {
        try {
            return session.getTransactionIsolation();
        } catch (SQLException e) {
            if (PostgresFailures.isUnsupported(e)) {
                return Connection.TRANSACTION_NONE;
            }
            throw e;
        }
    }

    /**
     * Answers for the session. The pool asks one session for its isolation, keeps the answer, and compares later sessions
     * with it. If that session breaks before it answers, the pool keeps an invalid one, and then it can open no session
     * any more.
     */
    private Connection withIsolation(Connection session, int isolation) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("getTransactionIsolation")) {
                        isIsolationKnown = true;
                        return isolation;
                    }
                    try {
                        return method.invoke(session, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("WaitNotInLoop") // waits only to pause, or until the pool is closed
    private synchronized boolean isWantedAfter(long millis) {
        try {
            if (!closed && isWanted.getAsBoolean()) {
                wait(millis);
            }
            return !closed && isWanted.getAsBoolean();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Asks which server is behind a session. If it is another one than before, all sessions are closed, because they may
     * still lead to the former one.
     */
    private void identify(Connection session) throws SQLException {
        Optional<ServerIdentity> server = ServerIdentity.of(session);
        if (server.isPresent()) {
            if (seen.answered(server.get())) {
                evictAll.accept("the server is another one than before, or was restarted");
            }
            WatchedSockets.identified(session, seen.appearances());
        }
    }

    /** How often the sessions have found another server than before. Any thread may call it. */
    long serverChanges() {
        return seen.changes();
    }

    /**
     * Logs once that the server has no free connections. Tasks wait for the open ones, so they may log nothing about
     * it.
     */
    private void reportFull(SQLException e) {
        if (!SqlState.TOO_MANY_CONNECTIONS.equals(e.getSQLState())) {
            return;
        }
        long now = System.nanoTime();
        boolean news = lastFull.isEmpty() || now - lastFull.getAsLong() > QUIET.toNanos();
        lastFull = OptionalLong.of(now);
        if (news) {
            log.warn(
                    "{} accepts no more connections: {}. Batches wait for an open one, or until it accepts more",
                    login,
                    PostgresFailures.describe(e));
        }
    }
}
