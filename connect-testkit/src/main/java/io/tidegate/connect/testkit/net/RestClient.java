package io.tidegate.connect.testkit.net;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Requests to a Connect worker, repeated without a response or during a rebalance. Thread-safe. */
public final class RestClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(100);
    private static final Duration REPEAT = Duration.ofMinutes(1);
    private static final Duration BACKOFF = Duration.ofMillis(250);
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final List<String> OUT_OF_TIME = List.of("does not answer", "got no answer");

    private final URI root;
    private final HttpClient http = Http.plain(CONNECT);

    public RestClient(URI root) {
        this.root = root;
    }

    private interface Refusal {
        boolean isPassing(HttpResponse<String> response) throws IOException;
    }

    public JsonNode get(String path) {
        return send("GET", path, Optional.empty());
    }

    public JsonNode send(String method, String path, Optional<String> body) {
        return repeat(method, path, body, response -> response.statusCode() == CONFLICT);
    }

    /** Sends a configuration. On a busy machine its validation may run out of time; a user would try again, too. */
    public JsonNode sendConfig(String path, String body) {
        return repeat(
                "PUT",
                path,
                Optional.of(body),
                response -> response.statusCode() == CONFLICT
                        || OUT_OF_TIME.stream().anyMatch(response.body()::contains));
    }

    /** Creates an item. After a 409 it checks whether the item exists; if not, the workers rebalance. */
    public JsonNode create(String path, String itemPath, String body) {
        return repeat(
                "POST",
                path,
                Optional.of(body),
                response -> response.statusCode() == CONFLICT
                        && once("GET", itemPath, Optional.empty()).statusCode() == NOT_FOUND);
    }

    private JsonNode repeat(String method, String path, Optional<String> body, Refusal refusal) {
        long end = System.nanoTime() + REPEAT.toNanos();
        while (true) {
            boolean last = System.nanoTime() - end >= 0;
            try {
                HttpResponse<String> response = once(method, path, body);
                if (last || !refusal.isPassing(response)) {
                    return answer(method, path, response);
                }
            } catch (ConnectException | HttpConnectTimeoutException e) {
                if (last) {
                    throw failed(method, path, e);
                }
            } catch (IOException e) {
                throw failed(method, path, e);
            }
            Poll.pause(BACKOFF);
        }
    }

    private HttpResponse<String> once(String method, String path, Optional<String> body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(root.resolve(path))
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.map(HttpRequest.BodyPublishers::ofString).orElse(HttpRequest.BodyPublishers.noBody()))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw Poll.interrupted(method + " " + root.resolve(path), e);
        }
    }

    private JsonNode answer(String method, String path, HttpResponse<String> response) {
        int status = response.statusCode();
        if (status >= BAD_REQUEST) {
            throw new RestException(
                    status, "%s %s: %d %s".formatted(method, root.resolve(path), status, message(response.body())));
        }
        return response.body().isBlank() ? MissingNode.getInstance() : parse(response.body());
    }

    private static String message(String body) {
        try {
            return JSON.readTree(body).path("message").asText(body);
        } catch (JsonProcessingException e) {
            return body;
        }
    }

    public static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new ServerException("Not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private ServerException failed(String method, String path, IOException cause) {
        return new ServerException("%s %s: no response: %s".formatted(method, root.resolve(path), cause), cause);
    }
}
