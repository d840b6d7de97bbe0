package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.ProxySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.stream.Stream;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.HttpRequest;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.message.BasicHeader;
import org.apache.http.protocol.HttpContext;
import org.elasticsearch.client.RestClient;
import org.elasticsearch.client.RestClientBuilder;

/** Elastic's REST client with its connections and threads. Any thread. */
record HttpStack(RestClient rest, HttpConnections connections, RoundRobin nodes) implements AutoCloseable {
    HttpStack {
        requireNonNull(rest, "rest");
        requireNonNull(connections, "connections");
        requireNonNull(nodes, "nodes");
    }

    /** Opens a stack that connects when it first sends. */
    static HttpStack open(ConnectionSettings settings, Tls tls, NodeAddresses addresses) {
        HttpConnections connections = HttpConnections.of(settings, tls, addresses);
        RoundRobin nodes = new RoundRobin(addresses::areKnown, System::nanoTime);
        RestClientBuilder builder = RestClient.builder(
                        settings.urls().stream().map(HttpStack::hostOf).toArray(HttpHost[]::new))
                .setNodeSelector(nodes)
                .setDefaultHeaders(headers(settings))
                .setRequestConfigCallback(config -> configured(config, settings))
                .setHttpClientConfigCallback(client -> configured(client, settings, connections));
        String path = settings.urls().get(0).getRawPath();
        if (!path.isEmpty()) {
            builder.setPathPrefix(path);
        }
        RestClient rest = builder.build();
        nodes.forgetFailuresBy(() -> rest.setNodes(rest.getNodes()));
        return new HttpStack(rest, connections, nodes);
    }

    private static HttpHost hostOf(URI url) {
        return new HttpHost(url.getHost(), url.getPort(), url.getScheme());
    }

    private static Header[] headers(ConnectionSettings settings) {
        Stream<Header> authorization =
                settings.credentials().authorization().stream().map(value -> new BasicHeader("Authorization", value));
        Stream<Header> others = settings.headers().values().entrySet().stream()
                .map(header -> new BasicHeader(header.getKey(), header.getValue()));
        return Stream.concat(authorization, others).toArray(Header[]::new);
    }

    /** A redirection is a normal response. To follow it would give the credentials to the host that it names. */
    private static RequestConfig.Builder configured(RequestConfig.Builder config, ConnectionSettings settings) {
        int connect = Math.toIntExact(settings.connectTimeout().toMillis());
        return config.setConnectionRequestTimeout(0) // see ConnectionTurns
                .setConnectTimeout(connect)
                .setSocketTimeout(Math.toIntExact(settings.readTimeout().toMillis()))
                .setRedirectsEnabled(false);
    }

    private static HttpAsyncClientBuilder configured(
            HttpAsyncClientBuilder client, ConnectionSettings settings, HttpConnections connections) {
        settings.proxy().ifPresent(proxy -> useProxy(client, proxy));
        return connections.usedBy(client).disableAuthCaching().disableCookieManagement();
    }

    /**
     * The proxy asks for credentials when a tunnel is opened. A plain request has them from the start, because otherwise
     * each body would be sent twice.
     */
    private static void useProxy(HttpAsyncClientBuilder client, ProxySettings proxy) {
        client.setProxy(new HttpHost(proxy.host(), proxy.port()));
        if (proxy.username().isEmpty()) {
            return;
        }
        BasicCredentialsProvider credentials = new BasicCredentialsProvider();
        credentials.setCredentials(
                new AuthScope(proxy.host(), proxy.port()),
                new UsernamePasswordCredentials(
                        proxy.username(), proxy.password().value()));
        client.setDefaultCredentialsProvider(credentials);
        String authorization = Credentials.basic(proxy.username(), proxy.password())
                .authorization()
                .orElseThrow();
        client.addInterceptorLast((HttpRequest request, HttpContext context) -> {
            if (!HttpClientContext.adapt(context).getHttpRoute().isTunnelled()) {
                request.setHeader("Proxy-Authorization", authorization);
            }
        });
    }

    /** Whether it can send. The threads that serve its connections end with the first {@link Error} in one of them. */
    boolean isRunning() {
        return rest.isRunning();
    }

    @Override
    public void close() {
        try {
            rest.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
