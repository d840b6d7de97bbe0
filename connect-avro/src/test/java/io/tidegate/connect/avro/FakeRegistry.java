package io.tidegate.connect.avro;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** An HTTP server on loopback that answers as a test says. */
final class FakeRegistry implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Runnable before = () -> {};
    private volatile String type = "application/json";
    private volatile boolean isSilent;
    private volatile boolean isStalling;

    private record Answer(int status, String body) {}

    FakeRegistry() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    private FakeRegistry(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Requires a certificate of its clients, too. */
    static FakeRegistry secure(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters mutual = context.getDefaultSSLParameters();
                mutual.setNeedClientAuth(true);
                parameters.setSSLParameters(mutual);
            }
        });
        return new FakeRegistry(server);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String uri = exchange.getRequestURI().toString();
        requests.add(uri);
        before.run();
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        if (isSilent) {
            awaitClose();
        }
        Answer answer =
                answers.getOrDefault(uri, new Answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}"));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(answer.status(), body.length);
        if (isStalling) {
            exchange.getResponseBody().write(body, 0, 1);
            exchange.getResponseBody().flush();
            awaitClose();
        }
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    FakeRegistry answering(String uri, int status, String body) {
        answers.put(uri, new Answer(status, body));
        return this;
    }

    /** Does this before each answer from now on. */
    FakeRegistry doing(Runnable action) {
        before = action;
        return this;
    }

    /** Gives all answers this content type from now on. */
    FakeRegistry typed(String contentType) {
        type = contentType;
        return this;
    }

    /** Never answers from now on. */
    void fallSilent() {
        isSilent = true;
    }

    /** From now on sends headers and the first byte of an answer, and no more. */
    void stall() {
        isStalling = true;
    }

    Queue<String> requests() {
        return requests;
    }

    Queue<String> authorizations() {
        return authorizations;
    }

    String url() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return scheme + "://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
