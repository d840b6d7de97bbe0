package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.ServerSight;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.HostSpec;
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
     * Types that are sent in binary: jsonb, int4, int8 and timestamptz, and the arrays of text, int4, int8 and
     * timestamptz. Their OIDs are fixed in PostgreSQL's {@code pg_type.dat}.
     */
    private static final String BINARY_OIDS = "3802,23,20,1184,1009,1007,1016,1185";

    /** After this time without the error, a full server is logged again. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final transient ServerLogin login;
    private final transient BooleanSupplier isWanted;
    private final transient Consumer<String> evictAll;
    private final transient SeenServers seen = new SeenServers(System.nanoTime());
    private transient volatile boolean isIdentityUnknown; // the server does not tell it
    private final transient Optional<WatchedSockets> sockets;
    private final transient Optional<PrimaryWatch> primary; // empty if the URL does not ask for the primary
    private final transient SessionOptions options;
    private final transient ProvidedPasswords passwords;
    private final transient LoginGrace grace;
    private transient OptionalLong lastFull = OptionalLong.empty(); // nanoTime; only the opening thread uses it
    private transient volatile Optional<Duration> socketTimeout = Optional.empty(); // empty if the URL sets it
    private transient volatile Optional<SQLException> lastFailure = Optional.empty(); // written by the opening thread
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
        this.grace = new LoginGrace(System::nanoTime, !login.credentials().isNone());
        setDefault(PGProperty.APPLICATION_NAME, sessionName);
        setDefault(PGProperty.BINARY_TRANSFER_ENABLE, BINARY_OIDS);
        setDefault(PGProperty.PREPARE_THRESHOLD, "0"); // a pooler between us and the server may share connections
        setDefault(PGProperty.TARGET_SERVER_TYPE, "primary");
        setDefault(PGProperty.TCP_KEEP_ALIVE, "true");
        if (setDefault(PGProperty.SOCKET_FACTORY, WatchedSocketFactory.class.getName())) {
            this.sockets = Optional.of(new WatchedSockets(login.toString(), () -> socketTimeout.orElse(Duration.ZERO)));
            setProperty(PGProperty.SOCKET_FACTORY_ARG, sockets.get().name());
        } else {
            this.sockets = Optional.empty(); // the URL names its own factory
        }
        this.primary = sockets.flatMap(watched -> watchPrimary(watched, evictAll));
        this.options = new SessionOptions(this, login);
        limit(limits);
    }

    private Optional<PrimaryWatch> watchPrimary(WatchedSockets watched, Consumer<String> evictAll) {
        List<HostSpec> hosts = hosts();
        boolean isBalanced = Boolean.parseBoolean(getProperty(PGProperty.LOAD_BALANCE_HOSTS));
        if (isBalanced || !List.of("primary", "master").contains(getTargetServerType())) {
            return Optional.empty();
        }
        setDefault(PGProperty.HOST_RECHECK_SECONDS, "0"); // a host's role may have changed since
        return Optional.of(new PrimaryWatch(login, passwords, hosts, watched, seen, evictAll));
    }

    private List<HostSpec> hosts() {
        String[] names = getServerNames();
        int[] ports = getPortNumbers();
        return IntStream.range(0, names.length)
                .mapToObj(i -> new HostSpec(names[i], ports[i]))
                .toList();
    }

    /** Sets the limits of sessions that are opened from now on. Any thread may call it. */
    void limit(PoolLimits limits) {
        setDefault(PGProperty.CONNECT_TIMEOUT, seconds(limits.connectTimeout()));
        // Until the session is open: a host that accepts but then stays silent must not delay the next host.
        if (setDefault(PGProperty.SOCKET_TIMEOUT, seconds(limits.connectTimeout()))) {
            socketTimeout = Optional.of(limits.socketTimeout());
        }
        String millis = Long.toString(limits.connectTimeout().toMillis());
        setDefault(PGProperty.SSL_RESPONSE_TIMEOUT, millis);
        setDefault(PGProperty.GSS_RESPONSE_TIMEOUT, millis);
        // Four steps for each host: connect, ask for TLS, try again without TLS, log in.
        int steps = 4 * getServerNames().length;
        setDefault(PGProperty.LOGIN_TIMEOUT, seconds(limits.connectTimeout().multipliedBy(steps)));
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
        boolean ours = !isInUrl(property);
        if (ours) {
            setProperty(property, value);
        }
        return ours;
    }

    private boolean isInUrl(PGProperty property) {
        Properties inUrl = Driver.parseURL(login.url(), new Properties());
        return inUrl != null && inUrl.getProperty(property.getName()) != null;
    }

    /** Whether sessions may be named after their users. They may not if the URL names them. */
    boolean namesSessions() {
        return !isInUrl(PGProperty.APPLICATION_NAME);
    }

    /** Opens no more sessions. A session that is being opened is closed at once. */
    synchronized void close() {
        closed = true;
        sockets.ifPresent(WatchedSockets::close);
        primary.ifPresent(PrimaryWatch::close);
        passwords.close();
        notifyAll();
    }

    /** Why the last attempt to open a session failed; empty if it succeeded. Any thread may call it. */
    Optional<SQLException> lastFailure() {
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
                primary.ifPresent(watch -> arrange(watch.inOrder()));
                Connection session = durable(closedIfLate(options.open(() -> passwords.open(this, user, password))));
                sockets.flatMap(watched -> watched.opened(session))
                        .ifPresent(host -> primary.ifPresent(watch -> watch.opened(host)));
                limitAnswers(session);
                identify(session);
                lastFailure = Optional.empty();
                grace.opened();
                return session;
            } catch (SQLException error) {
                SQLException e = grace.judge(error);
                lastFailure = Optional.of(e);
                reportFull(e);
                if (PostgresFailures.classifyWithoutRows(e) != Failure.TRANSIENT || !isWantedAfter(pause)) {
                    throw e;
                }
            }
            pause = Math.min(LONGEST_PAUSE.toMillis(), 2 * pause);
        }
    }

    private void arrange(List<HostSpec> hosts) {
        setServerNames(hosts.stream().map(HostSpec::getHost).toArray(String[]::new));
        setPortNumbers(hosts.stream().mapToInt(HostSpec::getPort).toArray());
    }

    /**
     * Limits how long the answers of a session may take from now on. The pool would give every session the limit of its
     * first one. Any thread may call it.
     */
    void limitAnswers(Connection session) throws SQLException {
        if (socketTimeout.isEmpty()) {
            return;
        }
        int millis = (int) socketTimeout.get().toMillis();
        if (session.getNetworkTimeout() != millis) {
            session.setNetworkTimeout(Runnable::run, millis);
        }
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

    private Connection durable(Connection session) throws SQLException {
        try {
            SessionDurability.apply(session, login.durability());
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    private void identify(Connection session) throws SQLException {
        try {
            see(session)
                    .ifPresent(server -> WatchedSockets.identified(
                            session, server, seen.sight().changes()));
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    /**
     * Asks which server is behind a session. If it is another one than before, all sessions are closed, because they may
     * still lead to the former one. Any thread may call it.
     *
     * @return empty if the server does not tell
     */
    Optional<ServerIdentity> see(Connection session) throws SQLException {
        if (isIdentityUnknown) {
            return Optional.empty();
        }
        long asked = System.nanoTime();
        Optional<ServerIdentity> server = ServerIdentity.of(session);
        isIdentityUnknown = server.isEmpty();
        if (server.isPresent() && seen.answered(server.get(), asked)) {
            evictAll.accept("the server is another one than before, or was restarted");
        }
        return server;
    }

    /** What the sessions have shown of the server. Any thread may call it. */
    ServerSight sight() {
        return seen.sight();
    }

    /** Closes a session that opens after the pool was closed, because the pool would forget it. */
    private Connection closedIfLate(Connection session) throws SQLException {
        if (closed) {
            session.close();
            throw new SQLException(
                    "the pool was closed while the connection was opened", SqlState.CONNECTION_DOES_NOT_EXIST);
        }
        return session;
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
                    "{} gives no more connections: {}. Batches wait for those that are open, or until it has some to"
                            + " give again",
                    login,
                    PostgresFailures.describe(e));
        }
    }
}
