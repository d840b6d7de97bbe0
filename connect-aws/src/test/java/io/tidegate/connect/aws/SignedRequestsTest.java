package io.tidegate.connect.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.common.credentials.HttpCall;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Requests of the Elasticsearch sink as they arrive: the signature fits what was sent. */
final class SignedRequestsTest {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);
    private static final AwsCredentialsIdentity WHO = AwsCredentialsIdentity.create("AKIDWORKER", "secret");
    private static final String REGION = "eu-central-1";
    private static final String SERVICE = "aoss";

    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;

    private record Received(String method, String uri, Headers headers, ByteBuffer body) {
        String header(String name) {
            return headers.getFirst(name);
        }
    }

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.accessKeyId", WHO.accessKeyId());
        System.setProperty("aws.secretAccessKey", WHO.secretAccessKey());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.add(new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders(),
                ByteBuffer.wrap(exchange.getRequestBody().readAllBytes())));
        byte[] body = "{\"errors\":false,\"items\":[]}".getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void theSignatureFitsWhatArrives(String compression) throws Exception {
        Map<String, String> props = Map.of(
                "topics",
                "tides",
                "connection.url",
                "http://localhost:" + server.getAddress().getPort() + "/prefix",
                "connection.compression",
                compression,
                "connection.credentials.provider",
                "aws",
                "connection.credentials.aws.region",
                REGION,
                "connection.credentials.aws.service",
                SERVICE,
                "server.product",
                "opensearch_serverless",
                "pipeline",
                "a pipeline*/+");
        try (Target target = new ElasticsearchTargetType().open(props);
                BatchWriter writer = target.openWriter(0)) {
            Optional<Document> document =
                    target.mapper().map(record(), new Progress(new TopicPartition("tides", 0), 1));
            assertThat(writer.write(document.stream().toList())).isEmpty();
        }

        Received request = received.get(0);
        assertThat(received).hasSize(1);
        assertThat(request.uri()).startsWith("/prefix/_bulk?").contains("pipeline=a+pipeline");
        assertThat(request.header("Content-Encoding")).isEqualTo(compression.equals("true") ? "gzip" : null);
        Instant signedAt =
                LocalDateTime.parse(request.header("X-Amz-Date"), TIME).toInstant(ZoneOffset.UTC);
        assertThat(Duration.between(signedAt, Instant.now())).isLessThan(Duration.ofMinutes(5));
        Map<String, String> expected = new SignatureV4(WHO, REGION, SERVICE, signedAt).headers(asCall(request));
        assertThat(expected)
                .allSatisfy((name, value) ->
                        assertThat(request.headers().get(name)).as(name).containsExactly(value));
    }

    private static SinkRecord record() {
        return new SinkRecord(
                "tides", 0, null, "key", null, "{\"level\": 1}", 0, 1_420_070_400_123L, TimestampType.CREATE_TIME);
    }

    private static HttpCall asCall(Received request) {
        return new HttpCall(
                request.method(),
                URI.create("http://" + request.header("Host") + request.uri()),
                Map.of("Host", request.header("Host"), "Content-Type", request.header("Content-Type")),
                request.body());
    }
}
