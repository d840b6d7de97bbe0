package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.credentials.CredentialsSource;
import io.tidegate.connect.common.credentials.HttpCall;
import io.tidegate.connect.common.time.Clock;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.http.client.utils.URIBuilder;

/**
 * Asks a credentials provider for the headers of each request, which may be a signature of the request as it is sent. Any
 * thread.
 */
final class RequestSigner implements AutoCloseable {
    private static final String HOST = "Host";

    private final CredentialsSource credentials;
    private final URI node;
    private final String host;

    private RequestSigner(CredentialsSource credentials, URI node) {
        this.credentials = requireNonNull(credentials, "credentials");
        this.node = requireNonNull(node, "node");
        this.host = hostOf(node);
    }

    /**
     * Asks the provider of the settings; empty if there is none.
     *
     * @param node the URL of the first node. A signature that covers the host needs it to be the only one
     * @throws org.apache.kafka.common.config.ConfigException when the settings cannot be used
     */
    static Optional<RequestSigner> of(CredentialsSettings settings, URI node) {
        return settings.open(Clock.SYSTEM).map(credentials -> new RequestSigner(credentials, node));
    }

    /** Without the port that follows from the scheme, because proxies remove it before a signature is verified. */
    private static String hostOf(URI node) {
        int standard = node.getScheme().equals("https") ? 443 : 80;
        return node.getPort() < 0 || node.getPort() == standard
                ? node.getHost()
                : node.getHost() + ":" + node.getPort();
    }

    /**
     * The headers that authenticate a request.
     *
     * @param headers of the request
     * @throws CredentialsException when the provider has none now
     */
    Map<String, String> sign(Request request, Map<String, String> headers) throws CredentialsException {
        Map<String, String> covered = new HashMap<>(headers);
        covered.put(HOST, host);
        return credentials.headers(new HttpCall(request.method(), uriOf(request), covered, bodyOf(request)));
    }

    /** As the REST client encodes it. */
    private URI uriOf(Request request) throws CredentialsException {
        try {
            URIBuilder relative = new URIBuilder(node.getRawPath() + request.path());
            request.parameters().forEach(relative::addParameter);
            return URI.create(node.getScheme() + "://" + node.getRawAuthority() + relative.build());
        } catch (URISyntaxException e) {
            throw new CredentialsException("a request cannot be signed, because its path is no URI", e);
        }
    }

    private static ByteBuffer bodyOf(Request request) {
        return request.body()
                .map(Request.Body::bytes)
                .map(bytes -> ByteBuffer.wrap(bytes.array(), bytes.from(), bytes.length()))
                .orElse(ByteBuffer.allocate(0));
    }

    /** The server has refused a request. */
    void refused() {
        credentials.refused();
    }

    @Override
    public void close() {
        credentials.close();
    }
}
