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
    private volatile int rootStatus = 200; // a test's thread writes it
    private volatile boolean rootTells = true; // a test's thread writes it
    private volatile String nodes = ""; // a test's thread writes it
    private volatile int nodesStatus = 200; // a test's thread writes it
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
        takesBodiesOf(100 << 20);
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

    /** Says from now on that it is OpenSearch, and answers like it: to none but plain media types. */
    public StubServer isOpenSearch() {
        product = Optional.empty();
        return this;
    }

    /** Answers so from now on when it is asked what it is. */
    public StubServer answersWhatItIsWith(int status) {
        rootStatus = status;
        rootTells = status == 200;
        return this;
    }

    /** Answers with success from now on when it is asked what it is, and does not say. */
    public StubServer doesNotSayWhatItIs() {
        rootStatus = 200;
        rootTells = false;
        return this;
    }

    /** Says from now on that it takes no larger bodies. */
    public StubServer takesBodiesOf(long bytes) {
        return saysOfItsNodes("{\"nodes\":{\"a\":{\"http\":{\"max_content_length_in_bytes\":" + bytes + "}}}}");
    }

    /** Does not tell from now on how large a request may be. */
    public StubServer saysNothingOfItsNodes(int status) {
        nodesStatus = status;
        return this;
    }

    /** Answers so from now on when it is asked how large a request may be. */
    public StubServer saysOfItsNodes(String json) {
        nodesStatus = 200;
        nodes = json;
        return this;
    }

    /** The question how large a request may be is no part of the script either. */
    private static boolean isLimit(HttpExchange exchange) {
        return exchange.getRequestURI().getPath().equals("/_nodes/http");
    }

    private void answerLimit(HttpExchange exchange) throws IOException {
        answerWith(exchange, nodesStatus, nodes);
    }

    /** The question what server this is, in words that every product understands, is no part of the script. */
    private static boolean isRoot(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("GET")
                && exchange.getRequestURI().toString().equals("/")
                && "application/json".equals(exchange.getRequestHeaders().getFirst("Accept"));
    }

    private void answerRoot(HttpExchange exchange) throws IOException {
        String distribution = product.isPresent() ? "" : "\"distribution\":\"opensearch\",";
        String version = "{\"name\":\"stub\",\"version\":{" + distribution + "\"number\":\"8.19.0\"}}";
        answerWith(exchange, rootStatus, rootTells ? version : "<html>please wait</html>");
    }

    private void answerWith(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        product.ifPresent(name -> exchange.getResponseHeaders().set(PRODUCT, name));
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (isRoot(exchange)) {
            answerRoot(exchange);
            return;
        }
        if (isLimit(exchange)) {
            answerLimit(exchange);
            return;
        }
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
        headers.set("Content-Type", "application/vnd.elasticsearch+json;compatible-with=8");
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
