package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server that gives the answers it was told to give, in order, and remembers what it was asked. */
public final class StubServer implements AutoCloseable {
    public static final String NO_ERRORS = "{\"errors\":false,\"items\":[]}";

    private static final CountDownLatch NO_WAIT = new CountDownLatch(0);

    private static final String PRODUCT = "X-Elastic-Product";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Optional<String> product = Optional.of("Elasticsearch"); // a test's thread writes it
    private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());

    /** What the server was asked. */
    public record Request(String method, String uri, Headers headers, ByteBuffer content, int clientPort) {
        public byte[] body() {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            return bytes;
        }

        public String text() {
            return new String(body(), UTF_8);
        }
    }

    private record Answer(
            int status, Map<String, String> headers, String body, CountDownLatch arrived, CountDownLatch go) {}

    public StubServer() {
        this(plain());
    }

    public StubServer(HttpServer server) {
        this.server = server;
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    private static HttpServer plain() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://localhost:" + port();
    }

    /** The next answer. */
    public StubServer answers(int status, String body) {
        return answers(status, Map.of(), body);
    }

    public StubServer answers(int status, Map<String, String> headers, String body) {
        script.add(new Answer(status, headers, body, NO_WAIT, NO_WAIT));
        return this;
    }

    /** The next request is answered when the test is over; the latch opens when it has arrived. */
    public CountDownLatch hangs() {
        CountDownLatch arrived = new CountDownLatch(1);
        script.add(new Answer(200, Map.of(), NO_ERRORS, arrived, new CountDownLatch(1)));
        return arrived;
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Has no product header from now on, like OpenSearch and like a proxy. */
    public StubServer isOpenSearch() {
        product = Optional.empty();
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders(),
                ByteBuffer.wrap(exchange.getRequestBody().readAllBytes()),
                exchange.getRemoteAddress().getPort()));
        Answer answer = script.poll();
        if (answer == null) {
            answer = new Answer(500, Map.of(), "the script is at its end", NO_WAIT, NO_WAIT);
        }
        answer.arrived().countDown();
        try {
            answer.go().await();
        } catch (InterruptedException e) {
            exchange.close();
            return;
        }
        Headers headers = exchange.getResponseHeaders();
        product.ifPresent(name -> headers.set(PRODUCT, name));
        headers.set("Content-Type", "application/json");
        answer.headers().forEach(headers::set);
        byte[] body = answer.body().getBytes(UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), head || body.length == 0 ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
