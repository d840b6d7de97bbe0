package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A collection of Amazon OpenSearch Serverless, as far as one can be made here: a real OpenSearch node behind a gateway that
 * answers only what Amazon's list of supported operations names, and refuses ids as a time series collection does. The tests
 * are nested in those of the node.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerlessCollection {
    /** Source: "Supported operations and plugins in Amazon OpenSearch Serverless", those that a sink could use. */
    private static final Pattern SUPPORTED = Pattern.compile(
            "POST (/[^_/][^/]*)?/_bulk|PUT /[^_/][^/]*|(GET|HEAD) /[^_/][^/]*|GET /_cat/indices|GET /_resolve/index/[^/]*");

    private static final String NO_IDS = "Document ID is not supported in create/index operation request";

    private final List<String> unsupported = Collections.synchronizedList(new ArrayList<>());
    private final HttpClient toNode = HttpClient.newHttpClient();
    private HttpServer gateway;

    /** The node, which is running. */
    abstract OpenSearchNode node();

    @BeforeAll
    void start() throws IOException {
        gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/", this::answer);
        gateway.start();
    }

    @AfterAll
    void close() {
        if (gateway != null) {
            gateway.stop(0);
        }
    }

    @BeforeEach
    void forget() {
        unsupported.clear();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String operation =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (!SUPPORTED.matcher(operation).matches()) {
            unsupported.add(operation);
            send(exchange, 404, "{\"message\":\"Not Found\"}".getBytes(UTF_8));
        } else if (operation.contains("_bulk") && new String(body, UTF_8).contains("\"_id\"")) {
            send(exchange, 200, itemsWithIds(new String(body, UTF_8)).getBytes(UTF_8));
        } else {
            forward(exchange, body);
        }
    }

    private static String itemsWithIds(String body) {
        String item =
                "{\"index\":{\"_index\":\"tides\",\"status\":400,\"error\":{\"type\":\"illegal_argument_exception\","
                        + "\"reason\":\"" + NO_IDS + "\"}}}";
        return "{\"took\":0,\"errors\":true,\"items\":["
                + body.lines()
                        .filter(line -> line.contains("\"_id\""))
                        .map(line -> item)
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private void forward(HttpExchange exchange, byte[] body) throws IOException {
        URI uri = URI.create(node().url() + exchange.getRequestURI().toString());
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type != null) {
            request.header("Content-Type", type);
        }
        try {
            HttpResponse<byte[]> response = toNode.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            send(exchange, response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.close();
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean none = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
        exchange.sendResponseHeaders(status, none ? -1 : body.length);
        if (!none) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private Map<String, String> props(String product, String... more) {
        Map<String, String> props = new HashMap<>(Map.of(
                "topics",
                "tides",
                "connection.url",
                "http://localhost:" + gateway.getAddress().getPort(),
                "server.product",
                product));
        for (int i = 0; i < more.length; i += 2) {
            props.put(more[i], more[i + 1]);
        }
        return props;
    }

    @Test
    void documentsWithoutIdsAreWrittenAndNothingElseIsAsked() throws Exception {
        Map<String, String> props = props("opensearch_serverless_time_series", "document.id", "none");
        List<Document> documents = Documents.numbered("tides", 500).stream()
                .map(document -> Documents.timed("tides", 1_420_070_400_123L, "{\"level\":1}"))
                .toList();
        try (Target target = new ElasticsearchTargetType().open(props);
                BatchWriter writer = new DeliveredWriter(target)) {
            assertThat(writer.write(documents)).isEmpty();
        }
        assertThat(unsupported).isEmpty();
        node().request("POST", "/tides/_refresh", "");
        assertThat(node().request("GET", "/tides/_count", "").path("count").asInt())
                .isEqualTo(500);
    }

    @Test
    void theValidationAsksOnlyWhatACollectionAnswers() throws Exception {
        Map<String, String> props = props("opensearch_serverless_time_series", "document.id", "none");
        assertThat(new ElasticsearchTargetType().validate(props)).isEmpty();
        try (ServerCheck check =
                new ElasticsearchTargetType().serverCheck(props).orElseThrow()) {
            assertThat(check.run()).isEmpty();
        }
        assertThat(unsupported).isEmpty();
    }

    @Test
    void aCollectionThatTakesNoIdsFailsTheTaskAndRefusesNoRecord() throws Exception {
        try (Target target = new ElasticsearchTargetType().open(props("opensearch_serverless"));
                BatchWriter writer = new DeliveredWriter(target)) {
            WriteException e =
                    catchThrowableOfType(WriteException.class, () -> writer.write(Documents.numbered("tides", 3)));
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e.refusals()).isEmpty();
            assertThat(e).hasMessageContaining("server.product=opensearch_serverless_time_series");
        }
    }
}
