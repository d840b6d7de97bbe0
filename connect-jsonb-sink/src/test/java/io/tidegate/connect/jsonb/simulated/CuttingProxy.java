package io.tidegate.connect.jsonb.simulated;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;

/**
 * Forwards connections to a server on loopback and cuts some: before what the client sent arrives, or after it has
 * arrived and before it is answered. Any thread; two daemon threads for each connection.
 */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private Random random = new Random(0); // guarded by this
    private double rate; // guarded by this
    private int piecesToCut; // how many pieces until one is cut for certain, 0 for none; guarded by this

    private enum Cut {
        NO,
        BEFORE,
        AFTER
    }

    CuttingProxy(int target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /**
     * From now on it cuts in this way.
     *
     * @param probability for each piece that a client sends
     */
    synchronized void cut(long seed, double probability) {
        random = new Random(seed);
        rate = probability;
    }

    /** Cuts one connection, before this piece of all that clients send from now on arrives; 1 is the next. */
    synchronized void cutAt(int piece) {
        piecesToCut = piece;
    }

    private synchronized Cut draw() {
        if (piecesToCut > 0) {
            piecesToCut--;
            if (piecesToCut == 0) {
                return Cut.BEFORE;
            }
        }
        return random.nextDouble() >= rate ? Cut.NO : random.nextBoolean() ? Cut.BEFORE : Cut.AFTER;
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Connection connection =
                        new Connection(listener.accept(), new Socket(InetAddress.getLoopbackAddress(), target));
                daemon(() -> connection.pump(connection.client, connection.server, true));
                daemon(() -> connection.pump(connection.server, connection.client, false));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private final class Connection {
        private final Socket client;
        private final Socket server;
        private volatile boolean isDeaf; // the client hears no more; the thread of the client's bytes writes it

        Connection(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void pump(Socket from, Socket to, boolean isOfClient) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[64 << 10];
                boolean isGreeting = true;
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    Cut cut = isOfClient && !isGreeting ? draw() : Cut.NO;
                    if (cut == Cut.BEFORE || (isDeaf && !isOfClient)) {
                        return;
                    }
                    isDeaf |= cut == Cut.AFTER;
                    out.write(buffer, 0, read);
                    isGreeting = false;
                }
            } catch (IOException e) {
                // one side is gone
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
