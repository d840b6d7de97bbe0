package io.tidegate.connect.elasticsearch.simulated;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The least of an HTTP server that can also cut a connection in the middle, which the JDK's cannot: one thread for each
 * connection, bodies of known length. It may be closed from any thread.
 */
final class HttpServer implements AutoCloseable {
    /** Answers requests. Several threads call it at once. */
    @FunctionalInterface
    interface Handler {
        Reply answer(String method, String path, byte[] body);
    }

    /**
     * An answer.
     *
     * @param isOwn whether Elasticsearch gives it, and not a proxy
     * @param sent how many bytes of the body are sent before the connection is cut; -1 for all of them and no cut
     */
    record Reply(int status, String body, boolean isOwn, int sent) {
        /** The connection ends without an answer. */
        static final Reply CUT = new Reply(0, "", true, 0);

        static Reply of(int status, String body) {
            return new Reply(status, body, true, -1);
        }
    }

    private final ServerSocket socket;
    private final Handler handler;
    private final List<Socket> open = new ArrayList<>(); // guarded by this

    HttpServer(Handler handler) {
        this.handler = handler;
        try {
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String url() {
        return "http://" + socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "simulated-elasticsearch");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                synchronized (this) {
                    open.add(client);
                }
                daemon(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                InputStream in = new BufferedInputStream(client.getInputStream(), 1 << 16)) {
            boolean isGoingOn = true;
            while (isGoingOn) {
                isGoingOn = serveOne(client, in);
            }
        } catch (IOException e) {
            // the client is gone
        } finally {
            synchronized (this) {
                open.remove(client);
            }
        }
    }

    private boolean serveOne(Socket client, InputStream in) throws IOException {
        String request = line(in);
        if (request.isEmpty()) {
            return false;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        if (headers.containsKey("expect")) {
            client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            return false; // the client has cancelled the request
        }
        String[] words = request.split(" ", -1);
        Reply reply = handler.answer(words[0], words[1], body);
        if (reply.status() == 0) {
            return false;
        }
        byte[] content = reply.body().getBytes(UTF_8);
        String head = "HTTP/1.1 " + reply.status() + " x\r\n"
                + (reply.isOwn() ? "X-Elastic-Product: Elasticsearch\r\nContent-Type: application/json\r\n" : "")
                + "Content-Length: " + content.length + "\r\n\r\n";
        byte[] start = head.getBytes(ISO_8859_1);
        int sent = reply.sent() < 0 ? content.length : Math.min(reply.sent(), content.length);
        byte[] all = new byte[start.length + sent];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(content, 0, all, start.length, sent);
        client.getOutputStream().write(all);
        return reply.sent() < 0;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        Collection<Socket> left;
        synchronized (this) {
            left = List.copyOf(open);
        }
        try {
            socket.close();
            for (Socket client : left) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
