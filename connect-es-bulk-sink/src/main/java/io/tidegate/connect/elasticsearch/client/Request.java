package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.util.BinaryData;
import java.util.Map;
import java.util.Optional;

/**
 * A request.
 *
 * @param path beginning with a slash, percent-encoded
 * @param parameters of the query, not encoded
 * @param body must not change until the response has arrived
 * @param compressed whether the body is compressed (gzip) already
 * @param expectContinue whether the server is asked before the body is sent ({@code Expect: 100-continue}), and so
 *     can refuse it by its length
 */
public record Request(
        String method,
        String path,
        Map<String, String> parameters,
        Optional<BinaryData> body,
        boolean compressed,
        boolean expectContinue) {
    public Request {
        requireNonNull(method, "method");
        requireNonNull(path, "path");
        parameters = Map.copyOf(parameters);
        requireNonNull(body, "body");
    }

    /** A request whose body is sent at once. */
    public Request(
            String method, String path, Map<String, String> parameters, Optional<BinaryData> body, boolean compressed) {
        this(method, path, parameters, body, compressed, false);
    }

    /** A request with JSON that is not compressed. */
    public static Request ofJson(String method, String path, byte[] json) {
        return of(method, path, BinaryData.of(json, "application/json"));
    }

    /** A request without a body. */
    public static Request of(String method, String path) {
        return new Request(method, path, Map.of(), Optional.empty(), false);
    }

    /** A request with a body that is not compressed. */
    public static Request of(String method, String path, BinaryData body) {
        return new Request(method, path, Map.of(), Optional.of(body), false);
    }
}
