package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.postgresql.core.BaseConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;
import org.postgresql.util.HostSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the primary has moved while the old one does not answer. If a request is unanswered for a while, one more
 * session is opened to its host. If that is impossible and another host is the primary, the connections to the first
 * are cut and new ones are opened to the other. If the session leads to another server, or to one that was restarted,
 * the connections to the former one are cut. A primary that answers is only slow, and keeps its connections. A thread of
 * the sockets watches. The pool's thread opens sessions.
 */
final class PrimaryWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PrimaryWatch.class);

    /** How long a request may be unanswered before its host is asked. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The same if there is one host. The question costs a connection more than the pool has, and rarely helps. */
    private static final Duration PATIENCE_WITH_ONE = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(250);

    /** The pause after a question that failed at once, as at a server without a free connection. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** Most seconds for a session to one host. */
    private static final int LONGEST_TIMEOUT = 5;

    /** How long the session is kept once all requests are answered again. */
    private static final Duration REST = Duration.ofSeconds(10);

    private final WatchedSockets sockets;
    private final ProvidedPasswords passwords;
    private final SeenServers seen;
    private final Consumer<String> evictAll;
    private final Map<HostSpec, HostSpec> hosts = new LinkedHashMap<>(); // as of sockets, to as in the URL; its order
    private final PGSimpleDataSource source = new PGSimpleDataSource(); // only the watching thread uses it
    private long lastUnanswered; // nanoTime; only the watching thread uses it
    private Optional<Long> lastFailure = Optional.empty(); // nanoTime; only the watching thread uses it
    private volatile int timeout = 1; // seconds for a session to one host; more if those of the pool take long
    private volatile Optional<HostSpec> primary = Optional.empty(); // empty until one is known
    private volatile Optional<Connection> session = Optional.empty(); // to a host with unanswered requests
    private volatile boolean closed;

    /**
     * Starts to watch.
     *
     * @param seen the servers of the pool's sessions
     * @param evictAll closes every connection of the pool, for the given reason; must not wait
     */
    PrimaryWatch(
            ServerLogin login,
            ProvidedPasswords passwords,
            WatchedSockets sockets,
            SeenServers seen,
            Consumer<String> evictAll) {
        this.passwords = requireNonNull(passwords, "passwords");
        this.seen = requireNonNull(seen, "seen");
        this.sockets = requireNonNull(sockets, "sockets");
        this.evictAll = requireNonNull(evictAll, "evictAll");
        login.apply(source);
        String[] names = source.getServerNames();
        int[] ports = source.getPortNumbers();
        IntStream.range(0, names.length)
                .mapToObj(i -> new HostSpec(names[i], ports[i]))
                .forEach(host -> hosts.put(asOfSocket(host), host));
        source.setTargetServerType("primary");
        source.setHostRecheckSeconds(0);
        source.setApplicationName("tidegate looks for the primary");
        sockets.lookEvery(LOOK, this::look);
    }

    /** A socket reports an address in brackets in its long form. */
    private static HostSpec asOfSocket(HostSpec host) {
        String name = host.getHost().startsWith("[")
                ? new InetSocketAddress(host.getHost(), host.getPort()).getHostString()
                : host.getHost();
        return new HostSpec(name, host.getPort());
    }

    private static HostSpec hostOf(Connection session) throws SQLException {
        return asOfSocket(
                session.unwrap(BaseConnection.class).getQueryExecutor().getHostSpec());
    }

    /**
     * Lets a data source try the primary first if it is known. An attempt at a host that hangs would use up the time of
     * the others.
     */
    void arrange(BaseDataSource sessions) {
        arrange(
                sessions,
                Stream.concat(primary.stream(), hosts.keySet().stream()).distinct());
    }

    private void arrange(BaseDataSource sessions, Stream<HostSpec> inOrder) {
        List<HostSpec> ofUrl = inOrder.map(hosts::get).toList();
        sessions.setServerNames(ofUrl.stream().map(HostSpec::getHost).toArray(String[]::new));
        sessions.setPortNumbers(ofUrl.stream().mapToInt(HostSpec::getPort).toArray());
    }

    /** The pool has opened this session in this time, so its host takes writes. */
    void opened(Connection ofPool, Duration taken) throws SQLException {
        timeout = (int) Math.min(LONGEST_TIMEOUT, 1 + taken.multipliedBy(2).toSeconds());
        primary = Optional.of(hostOf(ofPool)).filter(hosts::containsKey);
    }

    /** Returns whether there is a session to end later. */
    private boolean look() {
        List<HostSpec> unanswered = sockets.unanswered(hosts.size() == 1 ? PATIENCE_WITH_ONE : PATIENCE).stream()
                .filter(hosts::containsKey)
                .toList();
        if (!unanswered.isEmpty()) {
            lastUnanswered = System.nanoTime();
            if (lastFailure
                    .filter(failed -> lastUnanswered - failed < AFTER_FAILURE.toNanos())
                    .isEmpty()) {
                unanswered.forEach(this::ask);
            }
        } else {
            lastFailure = Optional.empty();
        }
        if (closed || System.nanoTime() - lastUnanswered > REST.toNanos()) {
            endSession();
        }
        return session.isPresent();
    }

    private void ask(HostSpec host) {
        try {
            if (session.isEmpty() || !hostOf(session.get()).equals(host)) {
                endSession();
                session = Optional.of(open(Stream.of(host), timeout));
            }
            Optional<ServerIdentity> server = ServerIdentity.of(session.get());
            if (server.filter(ServerIdentity::isStandby).isPresent()) {
                endSession(); // it was demoted, or a pooler leads elsewhere now
            } else {
                server.ifPresent(present -> leaveFormerServer(host, present));
            }
        } catch (SQLException e) {
            log.debug("{} does not answer as the primary", host, e);
            endSession();
            leave(host);
            lastFailure = Optional.of(System.nanoTime());
        }
    }

    private Connection open(Stream<HostSpec> inOrder, int seconds) throws SQLException {
        arrange(source, inOrder);
        source.setConnectTimeout(timeout);
        source.setSocketTimeout(timeout);
        source.setLoginTimeout(seconds);
        return passwords.open(source);
    }

    private void leave(HostSpec host) {
        if (hosts.size() == 1) {
            return;
        }
        Stream<HostSpec> others = hosts.keySet().stream().filter(each -> !each.equals(host));
        try (Connection other = open(others, PostgresDataSource.STEPS_OF_LOGIN * timeout * hosts.size())) {
            HostSpec found = hostOf(other);
            primary = Optional.of(found);
            evictAll.accept(host + " does not answer or is not the primary, and " + found + " is the primary");
            sockets.cutTo(host);
        } catch (SQLException e) {
            log.debug("No other host is the primary", e);
        }
    }

    /**
     * Gives up the connections of a host that another server has taken over. A server that the pool has seen before
     * takes over nothing: several servers may be behind one address, and the slower one keeps its connections.
     */
    private void leaveFormerServer(HostSpec host, ServerIdentity server) {
        if (seen.answered(server)) {
            evictAll.accept(host + " is another server than before, or was restarted");
        }
        seen.appearanceOf(server).ifPresent(appearance -> sockets.cutToFormer(host, appearance));
    }

    private void endSession() {
        try {
            if (session.isPresent()) {
                session.get().close();
            }
        } catch (SQLException e) {
            log.debug("The session that looks for the primary did not close cleanly", e);
        }
        session = Optional.empty();
    }

    /** The watch ends when the sockets are closed. A session that is being opened is closed by the watching thread. */
    @Override
    public void close() {
        closed = true;
        endSession();
    }
}
