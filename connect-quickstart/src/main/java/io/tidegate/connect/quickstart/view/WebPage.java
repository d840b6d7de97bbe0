package io.tidegate.connect.quickstart.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Serves a page and the state that it shows, on loopback. The page asks for the state twice a second. Only requests to a
 * name of loopback are answered: a foreign page whose name leads here (DNS rebinding) must not read the state.
 */
final class WebPage implements AutoCloseable {
    private static final String NAME = "127.0.0.1";
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final Set<String> NAMES = Set.of(NAME, "localhost");
    private static final int THREADS = 4;

    /** The page uses its own files only, and no other page can frame it. */
    private static final Map<String, String> HEADERS = Map.of(
            "Allow", "GET",
            "Cache-Control", "no-store",
            "Content-Security-Policy", text("page.csp").strip(),
            "Cross-Origin-Resource-Policy", "same-origin",
            "X-Content-Type-Options", "nosniff");

    private final Map<String, Answer> files = Map.of(
            "/", file("page.html", "text/html"),
            "/page.css", file("page.css", "text/css"),
            "/page.js", file("page.js", "text/javascript"));
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, step -> {
        Thread thread = new Thread(step, "page");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer server;
    private final Duration patience;
    private final CountDownLatch lastStateRead = new CountDownLatch(1);
    private volatile String state = "{}";
    private volatile boolean isRead;
    private volatile boolean isLast;

    private record Answer(int status, String type, String body) {
        static Answer of(int status, String message) {
            return new Answer(status, "text/plain", message + "\n");
        }
    }

    /**
     * Starts the server.
     *
     * @param port 0 for any that is free
     * @param patience how long {@link #close} waits for an open page to read the last state
     */
    WebPage(int port, Duration patience) throws ToolException {
        this.patience = patience;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
        } catch (IOException e) {
            throw new ToolException(
                    "--web cannot use port " + port + ": " + e.getMessage() + "; leave it out to get a free one", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    URI address() {
        return URI.create("http://" + NAME + ":" + server.getAddress().getPort() + "/");
    }

    /** @param json replaces the state that the page shows */
    void publish(String json) {
        state = json;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try {
            boolean wasLast = isLast;
            Answer answer = answer(exchange);
            Headers headers = exchange.getResponseHeaders();
            HEADERS.forEach(headers::set);
            headers.set("Content-Type", answer.type() + "; charset=utf-8");
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
            if (wasLast) {
                lastStateRead.countDown();
            }
        } finally {
            exchange.close();
        }
    }

    private Answer answer(HttpExchange exchange) {
        String host = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host"))
                .orElse("")
                .replaceFirst(":\\d+$", "");
        if (!NAMES.contains(host)) {
            return Answer.of(421, "Only " + address() + " is answered");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.of(405, "Only GET is answered");
        }
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/state")) {
            isRead = true;
            return new Answer(200, "application/json", state);
        }
        return Optional.ofNullable(files.get(path)).orElseGet(() -> Answer.of(404, "There is only " + address()));
    }

    private static Answer file(String name, String type) {
        return new Answer(200, type, text(name));
    }

    private static String text(String name) {
        try (InputStream in = WebPage.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A page that is open reads the state that was published last, and keeps it. */
    @Override
    public void close() {
        isLast = true;
        try {
            boolean unused = isRead && lastStateRead.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdown();
    }
}
