package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.spi.Failure;
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
 * Opens the sessions of a pool, with what the driver leaves open and an unattended client needs; the URL may say
 * otherwise. The pool's own thread opens; any thread closes.
 */
final class PostgresDataSource extends PGSimpleDataSource {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger log = LoggerFactory.getLogger(PostgresDataSource.class);

    /**
     * What is sent in binary: jsonb, int4, int8 and timestamptz, and the arrays of text, int4, int8 and timestamptz. Their
     * OIDs are fixed in PostgreSQL's {@code pg_type.dat}.
     */
    private static final String BINARY_OIDS = "3802,23,20,1184,1009,1007,1016,1185";

    /** For how long a server has to have connections to give before it is news that it has none. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final transient ServerLogin login;
    private final transient BooleanSupplier isWanted;
    private final transient Optional<WatchedSockets> sockets;
    private final transient Optional<PrimaryWatch> primary; // where the URL leaves it to us to find it
    private final transient SessionOptions options;
    private final transient LoginGrace grace = new LoginGrace(System::nanoTime);
    private transient OptionalLong lastFull = OptionalLong.empty(); // of the thread that opens; nanoTime
    private transient volatile Optional<Duration> socketTimeout = Optional.empty(); // unless the URL has it
    private transient volatile Optional<SQLException> lastFailure = Optional.empty(); // of the thread that opens
    private transient volatile boolean closed;

    /**
     * Sessions for a pool.
     *
     * @param sessionName what they are called at first
     * @param isWanted whether somebody waits for one
     * @param evictAll gives up every session of the pool, for a reason
     */
    PostgresDataSource(
            ServerLogin login,
            PoolLimits limits,
            String sessionName,
            BooleanSupplier isWanted,
            Consumer<String> evictAll) {
        this.login = login;
        this.isWanted = isWanted;
        setUrl(login.url());
        if (!login.user().isEmpty()) {
            setUser(login.user());
        }
        if (!login.password().value().isEmpty()) {
            setPassword(login.password().value());
        }
        setDefault(PGProperty.APPLICATION_NAME, sessionName);
        setDefault(PGProperty.BINARY_TRANSFER_ENABLE, BINARY_OIDS);
        setDefault(PGProperty.PREPARE_THRESHOLD, "0"); // a pooler between us and the server may share connections
        setDefault(PGProperty.TARGET_SERVER_TYPE, "primary");
        setDefault(PGProperty.TCP_KEEP_ALIVE, "true");
        if (setDefault(PGProperty.SOCKET_FACTORY, WatchedSocketFactory.class.getName())) {
            this.sockets = Optional.of(new WatchedSockets(login.toString(), () -> socketTimeout.orElse(Duration.ZERO)));
            setProperty(PGProperty.SOCKET_FACTORY_ARG, sockets.get().name());
        } else {
            this.sockets = Optional.empty(); // the URL names a factory
        }
        this.primary = sockets.flatMap(watched -> watchPrimary(watched, evictAll));
        this.options = new SessionOptions(this, login);
        limit(limits);
    }

    private Optional<PrimaryWatch> watchPrimary(WatchedSockets watched, Consumer<String> evictAll) {
        List<HostSpec> hosts = hosts();
        boolean isBalanced = Boolean.parseBoolean(getProperty(PGProperty.LOAD_BALANCE_HOSTS));
        if (hosts.size() == 1 || isBalanced || !List.of("primary", "master").contains(getTargetServerType())) {
            return Optional.empty();
        }
        setDefault(PGProperty.HOST_RECHECK_SECONDS, "0"); // what a host was seconds ago says nothing of it now
        return Optional.of(new PrimaryWatch(login, hosts, watched, evictAll));
    }

    private List<HostSpec> hosts() {
        String[] names = getServerNames();
        int[] ports = getPortNumbers();
        return IntStream.range(0, names.length)
                .mapToObj(i -> new HostSpec(names[i], ports[i]))
                .toList();
    }

    /** For sessions that are opened from now on. Any thread. */
    void limit(PoolLimits limits) {
        setDefault(PGProperty.CONNECT_TIMEOUT, seconds(limits.connectTimeout()));
        // Until it is open: a host that accepts and then says nothing must not keep us from the next one.
        if (setDefault(PGProperty.SOCKET_TIMEOUT, seconds(limits.connectTimeout()))) {
            socketTimeout = Optional.of(limits.socketTimeout());
        }
        String millis = Long.toString(limits.connectTimeout().toMillis());
        setDefault(PGProperty.SSL_RESPONSE_TIMEOUT, millis);
        setDefault(PGProperty.GSS_RESPONSE_TIMEOUT, millis);
        // Of each host: to connect, to ask for TLS, to try again without, to log in.
        int steps = 4 * getServerNames().length;
        setDefault(PGProperty.LOGIN_TIMEOUT, seconds(limits.connectTimeout().multipliedBy(steps)));
    }

    /** The pool would make it as long as a borrower waits, which may be too short to get to the last host. */
    @Override
    public void setLoginTimeout(int seconds) {
        // The URL's, or ours.
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

    /** Whether sessions may be named after who uses them: not when the URL names them. */
    boolean namesSessions() {
        return !isInUrl(PGProperty.APPLICATION_NAME);
    }

    /** No session is opened any more; one that is being opened is closed at once. */
    synchronized void close() {
        closed = true;
        sockets.ifPresent(WatchedSockets::close);
        primary.ifPresent(PrimaryWatch::close);
        notifyAll();
    }

    /** Why the last attempt to open a session failed, if it did. Any thread. */
    Optional<SQLException> lastFailure() {
        return lastFailure;
    }

    /**
     * Tries again as long as anybody waits for the session and nobody has to change anything for it: the pool's own pauses
     * between attempts grow to 5 s, by which a failover would take longer.
     */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        long pause = FIRST_PAUSE.toMillis();
        while (true) {
            try {
                primary.ifPresent(watch -> arrange(watch.inOrder()));
                Connection session = durable(closedIfLate(options.open(() -> super.getConnection(user, password))));
                sockets.flatMap(watched -> watched.opened(session))
                        .ifPresent(host -> primary.ifPresent(watch -> watch.opened(host)));
                limitAnswers(session);
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

    /** How long answers of a session may take, from now on; the pool gives every session the limit of its first. Any thread. */
    void limitAnswers(Connection session) throws SQLException {
        if (socketTimeout.isEmpty()) {
            return;
        }
        int millis = (int) socketTimeout.get().toMillis();
        if (session.getNetworkTimeout() != millis) {
            session.setNetworkTimeout(Runnable::run, millis);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // only to let the time pass, or until the pool is closed
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

    /** The pool would forget a session that comes after its own end. */
    private Connection closedIfLate(Connection session) throws SQLException {
        if (closed) {
            session.close();
            throw new SQLException(
                    "the pool was closed while the connection was opened", SqlState.CONNECTION_DOES_NOT_EXIST);
        }
        return session;
    }

    /** Once: tasks wait for the connections that there are, and so may have nothing to say of it themselves. */
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
