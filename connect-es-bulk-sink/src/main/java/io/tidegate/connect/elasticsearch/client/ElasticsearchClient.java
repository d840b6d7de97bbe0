package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.tls.CertificateExpiry;
import io.tidegate.connect.common.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.http.nio.entity.NByteArrayEntity;
import org.elasticsearch.client.Cancellable;
import org.elasticsearch.client.RequestOptions;
import org.elasticsearch.client.ResponseException;
import org.elasticsearch.client.ResponseListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each HTTP request to one node of a cluster, whichever is next, through Elastic's low-level REST client: it never
 * retries. A worker's tasks share it; any thread. If its threads have died, it opens new ones. It keeps the HTTP library
 * out of all other packages.
 */
public final class ElasticsearchClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ElasticsearchClient.class);

    private final ConnectionSettings settings;
    private final Tls tls;
    private final NodeAddresses addresses;
    private final Optional<RequestSigner> signer;
    private final ConnectionTurns turns;
    private volatile HttpStack stack; // replaced under this
    private boolean closed; // guarded by this

    private ElasticsearchClient(ConnectionSettings settings, Tls tls, NodeAddresses addresses) {
        this.settings = requireNonNull(settings, "settings");
        this.tls = requireNonNull(tls, "tls");
        this.addresses = requireNonNull(addresses, "addresses");
        this.signer = RequestSigner.of(
                settings.credentials().provider(), settings.urls().get(0));
        this.turns = new ConnectionTurns(settings.maxConnections(), settings.connectTimeout());
        this.stack = HttpStack.open(settings, tls, addresses);
    }

    /**
     * Opens a client, which connects when it first sends.
     *
     * @throws org.apache.kafka.common.config.ConfigException when the certificates cannot be used
     */
    public static ElasticsearchClient open(ConnectionSettings settings) {
        return open(settings, InetAddress::getAllByName);
    }

    static ElasticsearchClient open(ConnectionSettings settings, NodeAddresses.Lookup lookup) {
        List<String> hosts = settings.proxy()
                .map(proxy -> List.of(proxy.host()))
                .orElseGet(() -> settings.urls().stream().map(URI::getHost).toList());
        return new ElasticsearchClient(
                settings,
                Tls.of(settings.tls()),
                new NodeAddresses(
                        hosts, lookup, work -> HttpConnections.daemon(work).start(), Clock.SYSTEM::nanoTime));
    }

    /**
     * Sends a request. It may wait until a connection is free, and for a credentials provider.
     *
     * @param user the connector that sends it
     * @param response completed with the response of whatever status, or with the reason why there is none. Cancelling it
     *     cancels the request; the server may or may not carry it out
     */
    void send(String user, Request request, CompletableFuture<Response> response) throws InterruptedException {
        if (turns.take(user, response)) {
            CompletableFuture<?> unused =
                    addresses.refreshed().whenComplete((found, failure) -> start(request, response));
        }
    }

    private void start(Request request, CompletableFuture<Response> response) {
        if (response.isDone()) {
            return;
        }
        try {
            HttpStack used = running();
            Cancellable sent = used.rest().performRequestAsync(restRequest(request), new Listener(used, response));
            CompletableFuture<?> unused = response.whenComplete((answer, failure) -> {
                if (response.isCancelled()) {
                    sent.cancel();
                }
            });
        } catch (CredentialsException | RuntimeException e) {
            response.completeExceptionally(e);
        }
    }

    private org.elasticsearch.client.Request restRequest(Request request) throws CredentialsException {
        org.elasticsearch.client.Request rest = new org.elasticsearch.client.Request(request.method(), request.path());
        rest.addParameters(request.parameters());
        request.body()
                .map(Request.Body::bytes)
                .ifPresent(bytes -> rest.setEntity(new NByteArrayEntity(bytes.array(), bytes.from(), bytes.length())));
        Map<String, String> headers = new HashMap<>(request.headers());
        if (signer.isPresent()) {
            headers.putAll(signer.get().sign(request, headers));
        }
        RequestOptions.Builder options = RequestOptions.DEFAULT.toBuilder();
        headers.forEach(options::addHeader);
        rest.setOptions(options);
        return rest;
    }

    private HttpStack running() {
        return stack.isRunning() ? stack : replaced();
    }

    private synchronized HttpStack replaced() {
        if (!closed && !stack.isRunning()) {
            log.warn("The threads that serve the connections to {} have ended; new ones are opened", settings.nodes());
            HttpStack dead = stack;
            stack = HttpStack.open(settings, tls, addresses);
            dead.close();
        }
        return stack;
    }

    /** For tests: the threads that serve the connections. */
    HttpStack stack() {
        return stack;
    }

    /**
     * The server has refused a request for its credentials: the next one gets others, if a provider gives them.
     *
     * @return whether the next request may have others
     */
    boolean forgetCredentials() {
        signer.ifPresent(RequestSigner::refused);
        return signer.isPresent();
    }

    /** The connections as they are now. */
    public ConnectionCounts connections() {
        return stack.connections().counts(turns.waiting());
    }

    /** When the certificates in use expire. */
    public CertificateExpiry certificates() {
        return tls.expiry();
    }

    @Override
    public synchronized void close() {
        closed = true;
        stack.close();
        signer.ifPresent(RequestSigner::close);
    }

    /** Completes a response, in a thread that serves connections. */
    private record Listener(HttpStack used, CompletableFuture<Response> response) implements ResponseListener {
        @Override
        public void onSuccess(org.elasticsearch.client.Response answer) {
            if (!HttpStatus.isOfGateway(answer.getStatusLine().getStatusCode())) {
                used.nodes().answered(answer.getHost());
            }
            try {
                response.complete(Response.of(answer));
            } catch (IOException e) {
                response.completeExceptionally(e);
            }
        }

        @Override
        public void onFailure(Exception failure) {
            if (failure instanceof ResponseException answered) {
                onSuccess(answered.getResponse());
            } else {
                response.completeExceptionally(explained(failure));
            }
        }

        /** A client whose threads have ended fails in many ways. The next request gets another client. */
        private Exception explained(Exception failure) {
            return used.isRunning()
                    ? failure
                    : new IOException("the threads that serve the connections have ended", failure);
        }
    }
}
