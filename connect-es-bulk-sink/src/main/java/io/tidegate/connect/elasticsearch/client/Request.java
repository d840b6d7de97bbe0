package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.ByteSlice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request. All products understand its media types.
 *
 * @param path beginning with a slash, percent-encoded
 * @param parameters of the query, not encoded
 * @param expectContinue whether the server is asked before the body is sent ({@code Expect: 100-continue}), and so
 *     can refuse it by its length
 */
public record Request(
        String method, String path, Map<String, String> parameters, Optional<Body> body, boolean expectContinue) {
    static final String JSON = "application/json";

    public Request {
        requireNonNull(method, "method");
        requireNonNull(path, "path");
        parameters = Map.copyOf(parameters);
        requireNonNull(body, "body");
    }

    /**
     * The body of a request.
     *
     * @param bytes must not change until the response has arrived
     * @param compressed whether the bytes are compressed (gzip) already
     */
    public record Body(ByteSlice bytes, String contentType, boolean compressed) {
        public Body {
            requireNonNull(bytes, "bytes");
            requireNonNull(contentType, "contentType");
        }
    }

    /** A name as a part of a path, encoded. */
    public static String inPath(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"); // + is a plus in a path
    }

    /** A request without a body. */
    public static Request of(String method, String path) {
        return new Request(method, path, Map.of(), Optional.empty(), false);
    }

    /** A request with JSON that is not compressed. */
    public static Request ofJson(String method, String path, Map<String, String> parameters, byte[] json) {
        return new Request(method, path, parameters, Optional.of(new Body(ByteSlice.of(json), JSON, false)), false);
    }

    /** The headers that belong to this request alone. */
    Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", JSON));
        body.ifPresent(sent -> headers.put("Content-Type", sent.contentType()));
        if (body.filter(Body::compressed).isPresent()) {
            headers.put("Content-Encoding", "gzip");
        }
        if (expectContinue) {
            headers.put("Expect", "100-continue");
        }
        return headers;
    }
}
