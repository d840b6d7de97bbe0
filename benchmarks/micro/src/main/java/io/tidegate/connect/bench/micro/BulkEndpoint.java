package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A minimal endpoint for bulk requests over plain HTTP in this JVM. It skips the bodies and always reports success. A
 * request costs it the same for every client (about 20 KB of heap), so that differences come from the clients.
 */
public final class BulkEndpoint implements AutoCloseable {
    static {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // otherwise each response waits for an ACK
    }

    private static final byte[] ROOT =
            "{\"name\":\"sink\",\"version\":{\"number\":\"8.19.0\"},\"tagline\":\"You Know, for Search\"}"
                    .getBytes(ISO_8859_1);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final byte[] whole;
    private final byte[] filtered;

    /**
     * Listens on a loopback port.
     *
     * @param documents the documents of every bulk request, and thus the items of the response
     */
    public BulkEndpoint(int documents) throws IOException {
        whole = answer("{\"errors\":false,\"took\":12,\"items\":[", documents, BulkEndpoint::item);
        filtered = answer("{\"errors\":false,\"items\":[", documents, number -> "{\"index\":{\"status\":201}}");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** The URL, without a slash at its end. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static byte[] answer(String start, int documents, IntFunction<String> item) {
        return IntStream.range(0, documents)
                .mapToObj(item)
                .collect(Collectors.joining(",", start, "]}"))
                .getBytes(ISO_8859_1);
    }

    /** An item as Elasticsearch 8 writes it. */
    private static String item(int number) {
        return "{\"index\":{\"_index\":\"" + Readings.TOPIC + "\",\"_id\":\"" + Readings.TOPIC + "+0+" + number
                + "\",\"_version\":1,\"result\":\"created\",\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0},"
                + "\"_seq_no\":" + number + ",\"_primary_term\":1,\"status\":201}}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            byte[] answer = answerTo(exchange.getRequestURI());
            exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
            exchange.getResponseHeaders().set("Content-Type", "application/vnd.elasticsearch+json;compatible-with=8");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private byte[] answerTo(URI target) {
        if (!target.getPath().contains("_bulk")) {
            return ROOT;
        }
        return target.toString().contains("filter_path") ? filtered : whole;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
