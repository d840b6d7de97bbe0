package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.Poll;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on loopback. Tests use it to make connections fail and to move an address to another server. It forwards
 * bytes until it is told otherwise. Thread-safe.
 */
public final class TcpProxy extends LoopbackProxy {
    private static final int LONGEST_PAUSE_IN_REQUEST = 100; // milliseconds

    private final Set<Socket> stranded = ConcurrentHashMap.newKeySet();
    private InetSocketAddress target; // guarded by this
    private int longestSilence; // milliseconds, 0 for no limit; guarded by this
    private boolean blackHole; // guarded by this
    private Optional<byte[]> fixedAnswer = Optional.empty(); // guarded by this
    private boolean closed; // guarded by this

    private TcpProxy(InetSocketAddress target) {
        super("proxy");
        this.target = target;
    }

    /** Starts a proxy to this address. */
    public static TcpProxy to(String host, int port) {
        TcpProxy proxy = new TcpProxy(new InetSocketAddress(Objects.requireNonNull(host, "host"), port));
        proxy.start();
        return proxy;
    }

    /** Sends new connections to this address. Open connections stay where they are. */
    public synchronized void moveTo(String host, int port) {
        target = new InetSocketAddress(Objects.requireNonNull(host, "host"), port);
    }

    /** Closes every connection on both sides. */
    public void cut() {
        open().forEach(this::close);
    }

    /** Closes each new connection over which the target sends nothing for so long, as HAProxy does ({@code timeout server}). */
    public synchronized void cutAfterSilence(Duration silence) {
        longestSilence = Math.toIntExact(silence.toMillis());
    }

    private synchronized int longestSilence() {
        return longestSilence;
    }

    /** Stops forwarding, even the end of a connection. New connections are accepted and get no response. */
    public synchronized void swallow() {
        blackHole = true;
    }

    /**
     * Forwards nothing more over the connections that are open now, not even their end, and leaves them open. New ones
     * work.
     */
    public void strand() {
        stranded.addAll(open());
    }

    /**
     * Reads what comes over each new connection, sends these bytes and closes it, as a proxy that answers for the server.
     * Open connections are closed. Empty: forwards again.
     */
    public void answer(Optional<byte[]> bytes) {
        synchronized (this) {
            fixedAnswer = bytes;
        }
        cut();
    }

    private synchronized Optional<byte[]> fixedAnswer() {
        return fixedAnswer;
    }

    /** A request has ended when nothing more has come for a moment. */
    private void answer(Socket client, byte[] bytes) {
        try {
            client.setSoTimeout(LONGEST_PAUSE_IN_REQUEST);
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException e) {
            send(client, bytes);
        } catch (IOException e) {
            // The client has gone.
        }
        close(client);
    }

    private static void send(Socket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
            client.shutdownOutput();
        } catch (IOException e) {
            // The client has gone.
        }
    }

    /** Forwards what was held back, and everything after it. */
    public synchronized void passOn() {
        blackHole = false;
        notifyAll();
    }

    private synchronized void awaitWay() {
        while (blackHole && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw Poll.interrupted("a proxied connection", e);
            }
        }
    }

    private synchronized InetSocketAddress target() {
        return target;
    }

    @Override
    void serve(Socket client) {
        awaitWay();
        Optional<byte[]> fixed = fixedAnswer();
        if (fixed.isPresent()) {
            answer(client, fixed.get());
            return;
        }
        Socket server;
        try {
            server = connect(target());
            server.setSoTimeout(longestSilence());
        } catch (IOException e) {
            close(client);
            return;
        }
        run("to-server", () -> pump(client, server));
        run("to-client", () -> pump(server, client));
    }

    @Override
    boolean isForwarded(Socket from) {
        awaitWay();
        return !stranded.contains(from);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        super.close();
    }

    @Override
    public String toString() {
        return "proxy " + host() + ":" + port() + " to " + target();
    }
}
