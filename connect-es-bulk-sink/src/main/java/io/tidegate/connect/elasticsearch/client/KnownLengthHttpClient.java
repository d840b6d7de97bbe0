package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.transport.rest_client.SafeResponseConsumer;
import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.elasticsearch.client.signing.RequestSigner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.http.HttpEntity;
import org.apache.http.entity.ContentType;
import org.apache.http.nio.entity.NByteArrayEntity;
import org.elasticsearch.client.Cancellable;
import org.elasticsearch.client.RequestOptions;
import org.elasticsearch.client.ResponseException;
import org.elasticsearch.client.ResponseListener;
import org.elasticsearch.client.RestClient;

/**
 * Passes the transport's requests to the REST client. Unlike the client of the transport it sends a body with its
 * length, not in chunks, and returns error responses like all others. Any thread.
 */
final class KnownLengthHttpClient implements TransportHttpClient {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";

    private final RestClient client;
    private final Optional<RequestSigner> signer;
    private volatile boolean openSearch; // written once, when the product is known

    KnownLengthHttpClient(RestClient client, Optional<RequestSigner> signer) {
        this.client = requireNonNull(client, "client");
        this.signer = requireNonNull(signer, "signer");
    }

    /** From now on requests and responses are OpenSearch's: without Elasticsearch's media types and header. */
    void speakOpenSearch() {
        openSearch = true;
    }

    @Override
    public Response performRequest(String endpointId, Node node, Request request, TransportOptions options)
            throws IOException {
        try {
            return performRequestAsync(endpointId, node, request, options).get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public CompletableFuture<Response> performRequestAsync(
            String endpointId, Node node, Request request, TransportOptions options) {
        CancellableFuture future = new CancellableFuture();
        org.elasticsearch.client.Request rest;
        try {
            rest = restRequest(request, options);
        } catch (CredentialsException e) {
            future.completeExceptionally(e);
            return future;
        }
        future.attach(client.performRequestAsync(rest, new ResponseListener() {
            @Override
            public void onSuccess(org.elasticsearch.client.Response response) {
                future.complete(new RestResponse(response, openSearch));
            }

            @Override
            public void onFailure(Exception failure) {
                if (failure instanceof ResponseException answered) {
                    future.complete(new RestResponse(answered.getResponse(), openSearch));
                } else {
                    future.completeExceptionally(explained(failure));
                }
            }
        }));
        return future;
    }

    /** A client whose threads have ended fails in many ways. The next request gets another client. */
    private Exception explained(Exception failure) {
        return client.isRunning()
                ? failure
                : new IOException("the threads that serve the connections have ended", failure);
    }

    private org.elasticsearch.client.Request restRequest(Request request, TransportOptions options)
            throws CredentialsException {
        org.elasticsearch.client.Request rest = new org.elasticsearch.client.Request(request.method(), request.path());
        rest.addParameters(request.queryParams());
        RequestOptions.Builder headers = RequestOptions.DEFAULT.toBuilder();
        headers.setHttpAsyncResponseConsumerFactory(SafeResponseConsumer.DEFAULT_FACTORY);
        Map<String, String> all = new HashMap<>(headersOf(request));
        options.headers().forEach(header -> all.put(header.getKey(), header.getValue()));
        if (signer.isPresent()) {
            all.putAll(signer.get().sign(request, all));
        }
        all.forEach(headers::addHeader);
        rest.setOptions(headers);
        if (request.body() != null) {
            rest.setEntity(entityOf(request.body(), headersOf(request).get(CONTENT_TYPE)));
        }
        return rest;
    }

    private Map<String, String> headersOf(Request request) {
        if (!openSearch) {
            return request.headers();
        }
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Accept", JSON);
        headers.computeIfPresent(CONTENT_TYPE, (name, type) -> type.contains("ndjson") ? NDJSON : JSON);
        return headers;
    }

    /** The entity of a body that is one buffer, as every body of this sink is. */
    private static HttpEntity entityOf(Iterable<ByteBuffer> body, String contentType) {
        Iterator<ByteBuffer> buffers = body.iterator();
        ByteBuffer buffer = buffers.next();
        if (buffers.hasNext() || !buffer.hasArray()) {
            throw new IllegalArgumentException("a body must be one buffer on the heap");
        }
        return new NByteArrayEntity(
                buffer.array(),
                buffer.arrayOffset() + buffer.position(),
                buffer.remaining(),
                ContentType.parse(contentType));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    /** Cancelling it also aborts a request that is set only afterwards. */
    private static final class CancellableFuture extends CompletableFuture<Response> {
        private volatile Optional<Cancellable> request = Optional.empty();

        void attach(Cancellable sent) {
            request = Optional.of(sent);
            if (isCancelled()) {
                sent.cancel();
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                request.ifPresent(Cancellable::cancel);
            }
            return cancelled;
        }
    }
}
