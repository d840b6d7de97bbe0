package io.tidegate.connect.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.testkit.net.RestException;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConnectRestTest {
    private record Answer(int status, String body) {}

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Deque<String> requests = new ConcurrentLinkedDeque<>();
    private HttpServer worker;
    private ConnectRest rest;

    @BeforeEach
    void listen() throws IOException {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            Answer answer = answers.remove();
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        worker.start();
        rest = new ConnectRest(
                URI.create("http://127.0.0.1:" + worker.getAddress().getPort()));
    }

    @AfterEach
    void close() {
        worker.stop(0);
    }

    @Test
    void repeatsWhatARebalanceRefused() {
        answers.add(new Answer(409, "{\"error_code\": 409, \"message\": \"rebalance\"}"));
        answers.add(new Answer(200, "[\"tides\"]"));
        assertThat(rest.list()).containsExactly("tides");
        assertThat(requests).containsExactly("GET /connectors", "GET /connectors");
    }

    @Test
    void reportsANameThatIsTakenAtOnce() {
        answers.add(new Answer(409, "{\"error_code\": 409, \"message\": \"Connector tides already exists\"}"));
        answers.add(new Answer(200, "{\"name\": \"tides\"}"));
        assertThatThrownBy(() -> rest.create("{\"name\": \"tides\", \"config\": {}}"))
                .isInstanceOf(RestException.class)
                .hasMessageContaining("409 Connector tides already exists");
    }

    @Test
    void namesRequestStatusAndMessageOfAnError() {
        answers.add(new Answer(404, "{\"error_code\": 404, \"message\": \"Connector a b not found\"}"));
        assertThatThrownBy(() -> rest.get("a b"))
                .isInstanceOfSatisfying(
                        RestException.class, e -> assertThat(e.status()).isEqualTo(404))
                .hasMessageContaining("GET http://127.0.0.1:")
                .hasMessageEndingWith("/connectors/a%20b: 404 Connector a b not found");
    }

    @Test
    void failsWithTheTraceOfATaskThatFailed() {
        answers.add(new Answer(404, "{\"message\": \"No status found\"}"));
        answers.add(new Answer(200, """
                {"name": "tides", "connector": {"state": "RUNNING", "worker_id": "w:1"}, "tasks": [
                 {"id": 0, "state": "RUNNING", "worker_id": "w:1"},
                 {"id": 1, "state": "FAILED", "worker_id": "w:1", "trace": "java.lang.Error: low water"}]}"""));
        assertThatThrownBy(() -> rest.awaitRunning("tides", 2, Duration.ofSeconds(20)))
                .isInstanceOf(ServerException.class)
                .hasMessage("Connector tides has FAILED, task 1: java.lang.Error: low water");
    }

    @Test
    void saysWhatWasThereWhenTimeIsUp() {
        answers.add(new Answer(200, "{\"connector\": {\"state\": \"UNASSIGNED\"}, \"tasks\": []}"));
        assertThatThrownBy(() -> rest.awaitRunning("tides", 1, Duration.ZERO))
                .hasMessageContaining("is not running with 1 tasks after 0 s")
                .hasMessageContaining("UNASSIGNED");
    }

    @Test
    void readsErrorsOfAValidation() {
        answers.add(new Answer(200, """
                {"error_count": 1, "configs": [{"value": {"name": "host", "value": null,
                 "recommended_values": [], "errors": ["is required"]}}]}"""));
        ConnectRest.Validation validation = rest.validate("x.Sink", java.util.Map.of());
        assertThat(validation.errorCount()).isEqualTo(1);
        assertThat(validation.errors()).isEqualTo(List.of("host: is required"));
        assertThat(requests).containsExactly("PUT /connector-plugins/x.Sink/config/validate");
    }
}
