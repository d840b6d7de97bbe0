package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.elasticsearch._types.ErrorResponse;
import co.elastic.clients.json.JsonpDeserializer;
import co.elastic.clients.transport.DefaultTransportOptions;
import co.elastic.clients.transport.ElasticsearchTransport;
import co.elastic.clients.transport.ElasticsearchTransportBase;
import co.elastic.clients.transport.TransportException;
import co.elastic.clients.transport.TransportOptions;
import co.elastic.clients.transport.endpoints.BinaryEndpoint;
import co.elastic.clients.transport.endpoints.BinaryResponse;
import co.elastic.clients.transport.endpoints.EndpointBase;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.transport.instrumentation.NoopInstrumentation;
import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import io.tidegate.connect.elasticsearch.client.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.message.BasicHeader;
import org.elasticsearch.client.RestClient;
import org.elasticsearch.client.RestClientBuilder;

/**
 * Elastic's own client, reduced to sending bytes and receiving bytes: its transport and its REST client, without typed
 * requests and without a JSON mapper. A worker's tasks share it.
 */
public final class RestElasticsearchClient implements ElasticsearchClient {
    private static final TransportOptions PLAIN = DefaultTransportOptions.EMPTY;

    private final KnownLengthHttpClient http;
    private final HttpConnections connections;
    private final ElasticsearchTransport transport;
    private final AtomicReference<Optional<Server>> server = new AtomicReference<>(Optional.empty());
    private final CertificateExpiry certificates;

    private RestElasticsearchClient(
            KnownLengthHttpClient http, HttpConnections connections, CertificateExpiry certificates) {
        this.http = requireNonNull(http, "http");
        this.connections = requireNonNull(connections, "connections");
        this.transport = new BytesTransport(http);
        this.certificates = requireNonNull(certificates, "certificates");
    }

    /**
     * Opens a client, which connects when it first sends.
     *
     * @throws org.apache.kafka.common.config.ConfigException when the certificates cannot be used
     */
    public static RestElasticsearchClient open(ConnectionSettings settings) {
        Tls tls = Tls.of(settings.tls());
        HttpConnections connections = HttpConnections.of(settings, tls);
        RestClientBuilder builder = RestClient.builder(settings.urls().stream()
                        .map(RestElasticsearchClient::hostOf)
                        .toArray(HttpHost[]::new))
                .setNodeSelector(new RoundRobin())
                .setDefaultHeaders(authorization(settings))
                .setRequestConfigCallback(config -> withTimeouts(config, settings))
                .setHttpClientConfigCallback(client -> configured(client, connections));
        String path = settings.urls().get(0).getPath();
        if (!path.isEmpty()) {
            builder.setPathPrefix(path);
        }
        return new RestElasticsearchClient(new KnownLengthHttpClient(builder.build()), connections, tls.expiry());
    }

    private static HttpHost hostOf(URI url) {
        return new HttpHost(url.getHost(), url.getPort(), url.getScheme());
    }

    private static Header[] authorization(ConnectionSettings settings) {
        return settings.credentials().authorization().stream()
                .map(value -> new BasicHeader("Authorization", value))
                .toArray(Header[]::new);
    }

    private static RequestConfig.Builder withTimeouts(RequestConfig.Builder config, ConnectionSettings settings) {
        int connect = Math.toIntExact(settings.connectTimeout().toMillis());
        return config.setConnectionRequestTimeout(connect)
                .setConnectTimeout(connect)
                .setSocketTimeout(Math.toIntExact(settings.readTimeout().toMillis()));
    }

    private static HttpAsyncClientBuilder configured(HttpAsyncClientBuilder client, HttpConnections connections) {
        return connections.usedBy(client).disableAuthCaching().disableCookieManagement();
    }

    @Override
    public PendingResponse send(Request request) {
        CompletableFuture<BinaryResponse> response =
                transport.performRequestAsync(request, BytesEndpoint.INSTANCE, optionsOf(request));
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

    /** Past the transport, which accepts none but Elasticsearch, with media types that all understand. */
    @Override
    public PendingResponse askForServer() {
        TransportHttpClient.Request root =
                new TransportHttpClient.Request("GET", "/", Map.of(), Map.of("Accept", "application/json"), null);
        CompletableFuture<TransportHttpClient.Response> response =
                http.performRequestAsync("tidegate/root", null, root, PLAIN);
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
        if (!root.isSuccess() && !root.fromElasticsearch()) {
            return false; // a refusal may come from any product
        }
        Server found = Server.read(root);
        if (found.product() == Server.Product.OPENSEARCH) {
            http.speakOpenSearch();
        }
        return server.compareAndSet(Optional.empty(), Optional.of(found));
    }

    @Override
    public Optional<Server> server() {
        return server.get();
    }

    /** The answer, whatever its status: the transport makes exceptions of those that are not successes. */
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
    public ConnectionCounts connections() {
        return connections.counts();
    }

    @Override
    public CertificateExpiry certificates() {
        return certificates;
    }

    @Override
    public void close() {
        try {
            transport.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Elastic's transport as it is, told not to look for telemetry or JSON mappers on the class path. */
    private static final class BytesTransport extends ElasticsearchTransportBase {
        BytesTransport(TransportHttpClient client) {
            super(client, DefaultTransportOptions.EMPTY, null, NoopInstrumentation.INSTANCE);
        }
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

        /** None: the transport then hands over error answers as they are. */
        @Override
        public JsonpDeserializer<ErrorResponse> errorDeserializer(int statusCode) {
            return null;
        }
    }
}
