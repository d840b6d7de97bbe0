package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.elasticsearch._types.ErrorResponse;
import co.elastic.clients.json.JsonpDeserializer;
import co.elastic.clients.transport.DefaultTransportOptions;
import co.elastic.clients.transport.TransportException;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.endpoints.BinaryEndpoint;
import co.elastic.clients.transport.endpoints.BinaryResponse;
import co.elastic.clients.transport.endpoints.EndpointBase;
import co.elastic.clients.transport.http.TransportHttpClient;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.signing.RequestSigner;
import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import io.tidegate.connect.elasticsearch.client.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elastic's own client, reduced to sending and receiving bytes: its transport and its REST client, without typed
 * requests and without a JSON mapper. A worker's tasks share it. If its threads have died, it opens new ones.
 */
public final class RestElasticsearchClient implements ElasticsearchClient {
    private static final Logger log = LoggerFactory.getLogger(RestElasticsearchClient.class);
    private static final TransportOptions PLAIN = DefaultTransportOptions.EMPTY;

    private final ConnectionSettings settings;
    private final Tls tls;
    private final NodeAddresses addresses;
    private final Optional<RequestSigner> signer;
    private final AtomicReference<Optional<Server>> server;
    private volatile HttpStack stack; // replaced under this
    private boolean closed; // guarded by this

    private RestElasticsearchClient(ConnectionSettings settings, Tls tls, NodeAddresses addresses) {
        this.settings = requireNonNull(settings, "settings");
        this.tls = requireNonNull(tls, "tls");
        this.addresses = requireNonNull(addresses, "addresses");
        this.signer = RequestSigner.of(
                settings.credentials().provider(), settings.urls().get(0));
        this.server = new AtomicReference<>(Server.of(settings.product()));
        this.stack = opened();
    }

    /**
     * Opens a client, which connects when it first sends.
     *
     * @throws org.apache.kafka.common.config.ConfigException when the certificates cannot be used
     */
    public static RestElasticsearchClient open(ConnectionSettings settings) {
        return open(settings, InetAddress::getAllByName);
    }

    static RestElasticsearchClient open(ConnectionSettings settings, NodeAddresses.Lookup lookup) {
        List<String> hosts = settings.proxy()
                .map(proxy -> List.of(proxy.host()))
                .orElseGet(() -> settings.urls().stream().map(URI::getHost).toList());
        return new RestElasticsearchClient(
                settings, Tls.of(settings.tls()), new NodeAddresses(hosts, lookup, Clock.SYSTEM::nanoTime));
    }

    private HttpStack opened() {
        HttpStack opened = HttpStack.open(settings, tls, addresses, signer);
        server.get().ifPresent(known -> speakTo(known, opened));
        return opened;
    }

    private static void speakTo(Server server, HttpStack stack) {
        if (server.product() == Server.Product.OPENSEARCH) {
            stack.http().speakOpenSearch();
        }
    }

    /** Returns a stack that can send, with fresh addresses for its connections. It may wait for the resolver. */
    private HttpStack ready() {
        addresses.refresh();
        return stack.isRunning() ? stack : replaced();
    }

    private synchronized HttpStack replaced() {
        if (!closed && !stack.isRunning()) {
            log.warn("The threads that serve the connections to {} have ended; new ones are opened", settings.nodes());
            HttpStack dead = stack;
            stack = opened();
            dead.close();
        }
        return stack;
    }

    /** For tests: the threads that serve the connections. */
    HttpStack stack() {
        return stack;
    }

    @Override
    public PendingResponse send(Request request) {
        CompletableFuture<BinaryResponse> response =
                ready().transport().performRequestAsync(request, BytesEndpoint.INSTANCE, optionsOf(request));
        return new PendingResponse(response.handle(this::responseOf), () -> response.cancel(true));
    }

    private static TransportOptions optionsOf(Request request) {
        if (!request.compressed() && !request.expectContinue()) {
            return PLAIN;
        }
        DefaultTransportOptions.Builder options = new DefaultTransportOptions.Builder();
        if (request.compressed()) {
            options.setHeader("Content-Encoding", "gzip");
        }
        if (request.expectContinue()) {
            options.setHeader("Expect", "100-continue");
        }
        return options.build();
    }

    /**
     * Bypasses the transport, which accepts only Elasticsearch. All products understand the media type of this request.
     */
    @Override
    public PendingResponse askForServer() {
        TransportHttpClient.Request root =
                new TransportHttpClient.Request("GET", "/", Map.of(), Map.of("Accept", "application/json"), null);
        CompletableFuture<TransportHttpClient.Response> response =
                ready().http().performRequestAsync("tidegate/root", null, root, PLAIN);
        return new PendingResponse(response.thenApply(RestElasticsearchClient::rootOf), () -> response.cancel(true));
    }

    private static Response rootOf(TransportHttpClient.Response response) {
        try {
            return new Response(
                    response.statusCode(),
                    Optional.empty(),
                    isFromElasticsearch(response),
                    response.body().asInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean learn(Response root) {
        Optional<Server> found = root.isSuccess() ? Server.read(root) : Optional.empty();
        if (found.isEmpty() && root.fromElasticsearch()) {
            found = Optional.of(Server.UNKNOWN);
        }
        if (found.isEmpty()) {
            return false; // a refusal or a proxy's page may come from any product
        }
        speakTo(found.get(), stack);
        return server.compareAndSet(Optional.empty(), found);
    }

    @Override
    public Optional<Server> server() {
        return server.get();
    }

    /** The response, whatever its status. The transport turns responses without success into exceptions. */
    private Response responseOf(BinaryResponse response, Throwable failure) {
        try {
            if (failure == null) {
                server.compareAndSet(Optional.empty(), Optional.of(Server.UNKNOWN)); // it has the product header
                return new Response(HttpStatus.OK, Optional.empty(), true, response.content());
            }
            if (failure instanceof TransportException answered) {
                return responseOf(answered);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new CompletionException(failure);
    }

    private static Response responseOf(TransportException answered) throws IOException {
        if (answered.statusCode() == HttpStatus.OK) {
            throw new CompletionException(new NotElasticsearchException(answered.getMessage(), answered));
        }
        TransportHttpClient.Response response = answered.response();
        return new Response(
                answered.statusCode(),
                Optional.ofNullable(response.header("Retry-After"))
                        .flatMap(header -> RetryAfter.parse(header, Optional.ofNullable(response.header("Date")))),
                isFromElasticsearch(response),
                response.body().asInputStream());
    }

    private static boolean isFromElasticsearch(TransportHttpClient.Response response) {
        return !response.headers(RestResponse.PRODUCT).isEmpty();
    }

    @Override
    public boolean forgetCredentials() {
        signer.ifPresent(RequestSigner::refused);
        return signer.isPresent();
    }

    @Override
    public ConnectionCounts connections() {
        return stack.connections().counts();
    }

    @Override
    public CertificateExpiry certificates() {
        return tls.expiry();
    }

    @Override
    public synchronized void close() {
        closed = true;
        stack.close();
        signer.ifPresent(RequestSigner::close);
    }

    /** Bytes in, bytes out. */
    private static final class BytesEndpoint extends BinaryEndpoint<Request> {
        static final BytesEndpoint INSTANCE = new BytesEndpoint();

        private BytesEndpoint() {
            super(
                    "tidegate/call",
                    Request::method,
                    Request::path,
                    EndpointBase.emptyMap(),
                    Request::parameters,
                    EndpointBase.emptyMap(),
                    request -> request.body().orElse(null),
                    null);
        }

        @Override
        public boolean isError(int statusCode) {
            return !HttpStatus.isSuccess(statusCode);
        }

        /** Returns none, so that the transport returns error responses unchanged. */
        @Override
        public JsonpDeserializer<ErrorResponse> errorDeserializer(int statusCode) {
            return null;
        }
    }
}
