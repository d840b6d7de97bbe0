package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.postgresql.util.HostSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of one pool. The driver's time-out limits how long it reads, but nothing limits how long it writes. If a
 * server takes no more bytes, a writer would wait about 15 minutes until TCP gives up. Here a thread watches every
 * write and closes the socket of one that lasts too long. Closing never waits for the writer, as TLS above the socket
 * may. The sockets also know which hosts have not answered.
 */
final class WatchedSockets implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WatchedSockets.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final AtomicLong NAMES = new AtomicLong();
    private static final Map<String, WatchedSockets> BY_NAME = new ConcurrentHashMap<>();
    private static final Map<Connection, WatchedSocket> BY_CONNECTION =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final String name = Long.toString(NAMES.incrementAndGet());
    private final String server;
    private final Duration limit;
    private final LongSupplier appearances;
    private final Set<WatchedSocket> open = ConcurrentHashMap.newKeySet();
    private final List<PoolThreads.Watch> watches = new CopyOnWriteArrayList<>();
    private volatile Optional<WatchedSocket> latest = Optional.empty();

    /**
     * Starts without sockets.
     *
     * @param server its name in log lines
     * @param limit how long one write may last; zero for no limit
     * @param appearances how many servers have appeared behind the address
     */
    WatchedSockets(String server, Duration limit, LongSupplier appearances) {
        this.server = requireNonNull(server, "server");
        this.limit = requireNonNull(limit, "limit");
        this.appearances = requireNonNull(appearances, "appearances");
        BY_NAME.put(name, this);
        lookEvery(LOOK, () -> {
            cutStalled();
            return false;
        });
    }

    /**
     * Looks again and again on a watching thread, until the sockets are closed: while a socket is open, and as long as a
     * look returns true. An exception or error is logged, and the looks go on.
     */
    void lookEvery(Duration pause, BooleanSupplier look) {
        watches.add(new PoolThreads.Watch(server, pause, () -> look.getAsBoolean() || !open.isEmpty()));
    }

    /** The driver's socket factory finds the sockets by this name. */
    String name() {
        return name;
    }

    /** Makes a socket for the driver, one of the sockets with this name. If they are closed, it makes a plain one. */
    static Socket create(String name) {
        WatchedSockets sockets = BY_NAME.get(name);
        return sockets == null ? new Socket() : sockets.create();
    }

    private Socket create() {
        WatchedSocket socket = new WatchedSocket();
        open.add(socket);
        latest = Optional.of(socket);
        watches.forEach(PoolThreads.Watch::wake);
        return socket;
    }

    /** Links a new connection to the socket that was made last, because a pool opens one connection at a time. */
    void opened(Connection connection) {
        latest.ifPresent(socket -> BY_CONNECTION.put(connection, socket));
    }

    /** Hosts that have left a connection attempt, a read or a write unanswered for at least this time. */
    Set<HostSpec> unanswered(Duration atLeast) {
        return open.stream()
                .filter(socket -> socket.nanosWaiting() >= atLeast.toNanos())
                .flatMap(socket -> socket.host.stream())
                .collect(Collectors.toSet());
    }

    /** Closes every socket to this host, even one in use. Does not wait. */
    void cutTo(HostSpec host) {
        cut(socket -> socket.isTo(host));
    }

    /**
     * The server behind a connection has answered.
     *
     * @param appearances how many servers had appeared then
     */
    static void identified(Connection connection, long appearances) {
        WatchedSocket socket = BY_CONNECTION.get(connection);
        if (socket != null) {
            socket.appearance = appearances;
        }
    }

    /**
     * Closes every socket to this host that may lead to an earlier server, even one in use. That is one whose server
     * answered before the present one appeared, and one that began to log in before. Does not wait.
     *
     * @param appearance how many servers had appeared when the present one did, with itself
     */
    void cutToFormer(HostSpec host, long appearance) {
        cut(socket -> socket.isTo(host) && socket.appearance < appearance);
    }

    private void cut(Predicate<WatchedSocket> which) {
        open.stream().filter(which).forEach(WatchedSocket::cut);
    }

    /** Closes the socket under a connection of the driver, even if it is in use. Does not wait. */
    static void cut(Connection connection) {
        WatchedSocket socket = BY_CONNECTION.get(connection);
        if (socket != null) {
            socket.cut();
        }
    }

    private void cutStalled() {
        long most = limit.toNanos();
        open.stream()
                .filter(socket -> most > 0 && nanosSince(socket.writingSince) > most)
                .forEach(socket -> {
                    log.warn(
                            "{} has taken no bytes of a statement for {} ms (socket.timeout.ms): closing that connection",
                            server,
                            limit.toMillis());
                    socket.cutStalled();
                });
    }

    /** Stops watching. Open sockets stay open. */
    @Override
    public void close() {
        BY_NAME.remove(name);
        watches.forEach(PoolThreads.Watch::close);
    }

    private static final long NOT_NOW = 0; // a nanoTime of 0 goes unnoticed

    private static long nanosSince(long since) {
        return since == NOT_NOW ? 0 : System.nanoTime() - since;
    }

    private final class WatchedSocket extends Socket {
        private volatile Optional<HostSpec> host = Optional.empty(); // written by the thread that connects
        private volatile boolean isStalled; // written by a watching thread
        private volatile long appearance = appearances.getAsLong(); // written by the thread that connects
        private volatile long writingSince = NOT_NOW; // nanoTime; written by the thread that writes
        private volatile long readingSince = NOT_NOW; // nanoTime; written by the thread that connects or reads

        long nanosWaiting() {
            return Math.max(nanosSince(writingSince), nanosSince(readingSince));
        }

        boolean isTo(HostSpec wanted) {
            return host.filter(wanted::equals).isPresent();
        }

        @Override
        public void connect(SocketAddress address, int timeout) throws IOException {
            if (address instanceof InetSocketAddress inet) {
                host = Optional.of(new HostSpec(inet.getHostString(), inet.getPort()));
            }
            readingSince = System.nanoTime();
            try {
                super.connect(address, timeout);
            } finally {
                readingSince = NOT_NOW;
            }
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    readingSince = System.nanoTime();
                    try {
                        return in.read(bytes, offset, length);
                    } finally {
                        readingSince = NOT_NOW;
                    }
                }
            };
        }

        /** The writing thread gets the error that a reading one gets after the same time. */
        void cutStalled() {
            isStalled = true;
            cut();
        }

        void cut() {
            try {
                close();
            } catch (IOException e) {
                log.debug("A socket to {} did not close cleanly", server, e);
            }
        }

        private static IOException stalled(IOException cause) {
            IOException late = new SocketTimeoutException("Write timed out");
            late.initCause(cause);
            return late;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    writingSince = System.nanoTime();
                    try {
                        out.write(bytes, offset, length);
                    } catch (IOException e) {
                        throw isStalled ? stalled(e) : e;
                    } finally {
                        writingSince = NOT_NOW;
                    }
                }
            };
        }

        @Override
        public synchronized void close() throws IOException {
            open.remove(this);
            super.close();
        }
    }
}
