package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free ports below the range of outgoing connections, so that a restarted server finds its port still free. */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 200;
    private static final int CONNECT_MS = 1_000;

    /** A port stays free until its server starts, so the two ports of one server could otherwise be the same. */
    private static final Set<Integer> GIVEN_OUT = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A free port, preferably one that this method has not returned before. */
    public static int free() {
        if (GIVEN_OUT.size() > (LAST - FIRST) / 2) {
            GIVEN_OUT.clear();
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (GIVEN_OUT.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new ServerException("No free port: tried %d random ones from %d to %d on %s"
                .formatted(ATTEMPTS, FIRST, LAST, InetAddress.getLoopbackAddress()));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a process listens on the port. Unlike a client of the server, this check logs no failure. */
    public static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
