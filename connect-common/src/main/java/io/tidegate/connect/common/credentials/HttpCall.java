package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A request that is about to be sent.
 *
 * @param uri with the host, path and query as they are sent
 * @param headers those that a signature may cover, with {@code Host}; others follow
 * @param body as it is sent, compressed if the request is; empty if there is none
 */
public record HttpCall(String method, URI uri, Map<String, String> headers, ByteBuffer body) {
    public HttpCall {
        requireNonNull(method, "method");
        requireNonNull(uri, "uri");
        headers = Map.copyOf(headers);
        body = body.asReadOnlyBuffer();
    }
}
