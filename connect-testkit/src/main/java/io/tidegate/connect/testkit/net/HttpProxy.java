package io.tidegate.connect.testkit.net;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A forward proxy on loopback that demands Basic authentication (RFC 9110, 9.3.6 and 11.7). It tunnels ({@code CONNECT})
 * and forwards plain requests, one for each connection. Thread-safe.
 */
public final class HttpProxy extends LoopbackProxy {
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final int LONGEST_HEAD = 64 << 10;

    private final String authorization;
    private final AtomicInteger tunnels = new AtomicInteger();
    private final AtomicInteger forwarded = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private HttpProxy(String username, String password) {
        super("http-proxy");
        String pair = username + ":" + password;
        authorization = "proxy-authorization: Basic "
                + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Starts a proxy that only this user may use. */
    public static HttpProxy start(String username, String password) {
        HttpProxy proxy = new HttpProxy(
                Objects.requireNonNull(username, "username"), Objects.requireNonNull(password, "password"));
        proxy.start();
        return proxy;
    }

    /** How many tunnels it has opened. */
    public int tunnels() {
        return tunnels.get();
    }

    /** How many plain requests it has forwarded. */
    public int forwarded() {
        return forwarded.get();
    }

    /** How many requests without the right credentials it has refused. */
    public int refused() {
        return refused.get();
    }

    @Override
    void serve(Socket client) {
        try {
            for (String head = readHead(client); !head.isEmpty(); head = readHead(client)) {
                List<String> lines = head.lines().toList();
                String[] request = lines.get(0).split(" ", -1);
                boolean tunnel = request[0].equals("CONNECT");
                if (!isAuthorized(lines)) {
                    refused.incrementAndGet();
                    answer(
                            client,
                            "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"testkit\"",
                            tunnel);
                    if (tunnel) {
                        continue; // the client tries again on this connection
                    }
                    close(client);
                    return;
                }
                URI target = URI.create(tunnel ? "tunnel://" + request[1] : request[1]);
                pass(client, target, tunnel ? "" : forwardedHead(request, target, lines));
                return;
            }
            close(client);
        } catch (IOException e) {
            close(client);
        }
    }

    /** Names differ in case, and so may the scheme, but a client of a test sends it as here. */
    private boolean isAuthorized(List<String> lines) {
        return lines.stream().anyMatch(line -> {
            int colon = line.indexOf(':') + 1;
            return (line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon)).equals(authorization);
        });
    }

    private void pass(Socket client, URI target, String head) throws IOException {
        Socket server;
        try {
            server = connect(new InetSocketAddress(target.getHost(), target.getPort()));
        } catch (IOException e) {
            answer(client, "502 Bad Gateway", false);
            throw e;
        }
        if (head.isEmpty()) {
            tunnels.incrementAndGet();
            client.getOutputStream()
                    .write(("HTTP/1.1 200 Connection established" + END_OF_HEAD).getBytes(StandardCharsets.ISO_8859_1));
        } else {
            forwarded.incrementAndGet();
            server.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        }
        run("to-server", () -> pump(client, server));
        run("to-client", () -> answerFrom(server, client, !head.isEmpty()));
    }

    /** Passes on the response, and says that the connection ends after it if only one request was forwarded. */
    private void answerFrom(Socket server, Socket client, boolean isForwarded) {
        try {
            boolean isFinal = !isForwarded;
            while (!isFinal) {
                String head = readHead(server);
                if (head.isEmpty()) {
                    throw new EOFException("no response from " + server);
                }
                isFinal = !head.startsWith("HTTP/1.1 1");
                client.getOutputStream().write((isFinal ? closing(head) : head).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            close(server);
        }
        pump(server, client);
    }

    /** The head for the server, which is to close the connection after its response. */
    private static String forwardedHead(String[] request, URI target, List<String> lines) {
        String path = target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
        return closing(request[0] + " " + path + " HTTP/1.1\r\n"
                + lines.stream().skip(1).collect(Collectors.joining("\r\n")));
    }

    /** The same head for the only exchange of a connection, without what is between the client and this proxy. */
    private static String closing(String head) {
        return head.lines()
                .filter(line -> !line.isEmpty())
                .filter(line -> !line.toLowerCase(Locale.ROOT).matches("(proxy-.*|connection|keep-alive):.*"))
                .collect(Collectors.joining("\r\n", "", "\r\nConnection: close" + END_OF_HEAD));
    }

    private static void answer(Socket client, String status, boolean kept) throws IOException {
        String connection = kept ? "" : "\r\nConnection: close";
        client.getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0" + connection + END_OF_HEAD)
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The request line and headers, or an empty text at the end of the stream. Reads no byte of a body. */
    private static String readHead(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        byte[] end = END_OF_HEAD.getBytes(StandardCharsets.ISO_8859_1);
        byte[] last = new byte[end.length];
        for (int read = in.read(); read >= 0 && head.size() < LONGEST_HEAD; read = in.read()) {
            head.write(read);
            System.arraycopy(last, 1, last, 0, last.length - 1);
            last[last.length - 1] = (byte) read;
            if (Arrays.equals(last, end)) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return "HTTP proxy " + host() + ":" + port();
    }
}
