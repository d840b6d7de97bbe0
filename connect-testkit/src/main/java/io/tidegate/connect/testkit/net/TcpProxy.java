package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.Poll;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on loopback. Tests use it to make connections fail and to move an address to another server. It forwards
 * bytes until it is told otherwise. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> stranded = ConcurrentHashMap.newKeySet();
    private InetSocketAddress target; // guarded by this
    private boolean blackHole; // guarded by this
    private boolean closed; // guarded by this

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("accept", this::accept);
    }

    /** Starts a proxy to this address. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(Objects.requireNonNull(host, "host"), port));
    }

    public String host() {
        return listener.getInetAddress().getHostAddress();
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Sends new connections to this address. Open connections stay where they are. */
    public synchronized void moveTo(String host, int port) {
        target = new InetSocketAddress(Objects.requireNonNull(host, "host"), port);
    }

    /** Closes every connection on both sides. */
    public void cut() {
        open.forEach(this::close);
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
        stranded.addAll(open);
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

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                run("connect", () -> connect(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) {
        awaitWay();
        Socket server = new Socket();
        open.add(server);
        try {
            server.connect(target());
        } catch (IOException e) {
            close(client);
            close(server);
            return;
        }
        run("to-server", () -> pump(client, server));
        run("to-client", () -> pump(server, client));
    }

    private void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitWay();
                if (!stranded.contains(from)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // Treated as the end of the stream.
        }
        awaitWay();
        if (!stranded.contains(from)) {
            close(from);
            close(to);
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String what, Runnable work) {
        Thread thread = new Thread(work, "testkit-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes every connection and stops listening. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    @Override
    public String toString() {
        return "proxy " + host() + ":" + port() + " to " + target();
    }
}
