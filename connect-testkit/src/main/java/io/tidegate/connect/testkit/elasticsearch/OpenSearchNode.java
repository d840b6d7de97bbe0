package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An OpenSearch node that runs the product's own code from its jars: the server and its network module, no other
 * modules. It has plain HTTP without users, unless {@link Builder#security} was called.
 */
public final class OpenSearchNode extends SearchNode {
    private static final int OK = 200;
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final OpenSearchRelease release;
    private final Optional<OpenSearchSecurity> security;
    private final HttpClient http;
    private final Map<String, String> credentials;

    private OpenSearchNode(Builder builder) {
        super("opensearch", "node-1", builder.release.release(), builder);
        release = builder.release;
        security = builder.security ? Optional.of(new OpenSearchSecurity(config())) : Optional.empty();
        http = security.map(each -> each.http(CONNECT)).orElseGet(() -> Http.plain(CONNECT));
        credentials = security.map(OpenSearchSecurity::credentials).orElse(Map.of());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@code http://localhost:PORT}, or {@code https:} with security. Does not change after the first start. */
    @Override
    public URI url() {
        return URI.create((security.isPresent() ? "https" : "http") + "://localhost:" + port("http"));
    }

    /**
     * The authority that issued the node's certificate. A client with a certificate from it is the user with the
     * certificate's common name.
     *
     * @throws IllegalStateException without security
     */
    public Certificates certificates() {
        return security().certificates();
    }

    private OpenSearchSecurity security() {
        return security.orElseThrow(() -> new IllegalStateException("The node was built without security"));
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return RestClient.parse(Http.exchange(http, method, url().resolve(path), credentials, json));
    }

    @Override
    Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(Map.of("discovery.type", "single-node"));
        security.ifPresent(each -> all.putAll(each.settings()));
        return all;
    }

    @Override
    String classPath(String ofRelease) {
        return security.map(each -> each.install(ofRelease, folder())).orElse(ofRelease);
    }

    @Override
    Main main() {
        List<String> plugins =
                security.stream().map(each -> OpenSearchSecurity.PLUGIN).toList();
        return new Main(
                "io.tidegate.servers.opensearch.NodeMain", List.of("-Dopensearch.path.home=" + folder()), plugins);
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, url(), credentials) == OK;
    }

    @Override
    public String toString() {
        return release + " " + url();
    }

    /** The settings of an {@link OpenSearchNode}. A property with a list is {@code [a, b]}. */
    public static final class Builder extends JvmServerBuilder<Builder> {
        private OpenSearchRelease release = OpenSearchRelease.ofTests();
        private boolean security;

        private Builder() {}

        /** Gives the node HTTPS and users with the product's security plugin. */
        public Builder security() {
            security = true;
            return this;
        }

        /** Sets the release, instead of {@link OpenSearchRelease#ofTests}. */
        public Builder release(OpenSearchRelease wanted) {
            release = wanted;
            return this;
        }

        /** Creates a node without starting it. */
        public OpenSearchNode build() {
            return new OpenSearchNode(this);
        }
    }
}
