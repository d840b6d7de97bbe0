package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections on loopback and copies bytes between two of them, each direction in a daemon thread. */
abstract class LoopbackProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final String name;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    /** Listens, but accepts nothing before {@link #start}. */
    LoopbackProxy(String name) {
        this.name = name;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final void start() {
        run("accept", this::accept);
    }

    /** Serves a connection, in a new thread. */
    abstract void serve(Socket client);

    /** Whether bytes from this side, or its end, are forwarded. May wait. */
    boolean isForwarded(Socket from) {
        return true;
    }

    public final String host() {
        return listener.getInetAddress().getHostAddress();
    }

    public final int port() {
        return listener.getLocalPort();
    }

    /** How many connections it has accepted. */
    public final int accepted() {
        return accepted.get();
    }

    /** The open connections on both sides. */
    final Set<Socket> open() {
        return open;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                int unused = accepted.incrementAndGet();
                run("serve", () -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    final Socket connect(InetSocketAddress target) throws IOException {
        Socket server = new Socket();
        open.add(server);
        try {
            server.connect(target);
        } catch (IOException e) {
            close(server);
            throw e;
        }
        return server;
    }

    /** Copies bytes until the end of the stream or an error, then closes both sides. */
    final void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (isForwarded(from)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // Treated as the end of the stream.
        }
        if (isForwarded(from)) {
            close(from);
            close(to);
        }
    }

    final void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final void run(String what, Runnable work) {
        Thread thread = new Thread(work, "testkit-" + name + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes every connection and stops listening. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::close);
    }
}
