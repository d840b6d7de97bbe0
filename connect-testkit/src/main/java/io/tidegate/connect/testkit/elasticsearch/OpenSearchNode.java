package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An OpenSearch node that runs the product's own code from its jars: the server and its network module, no other
 * modules. It has plain HTTP without users, because the security plugin is missing.
 */
public final class OpenSearchNode extends SearchNode {
    private static final int OK = 200;

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final OpenSearchRelease release;

    private OpenSearchNode(Builder builder) {
        super("opensearch", "node-1", builder.release.release(), builder);
        release = builder.release;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public URI url() {
        return URI.create("http://localhost:" + port());
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return RestClient.parse(Http.exchange(http, method, url().resolve(path), Map.of(), json));
    }

    @Override
    Map<String, String> settings() {
        return Map.of("discovery.type", "single-node");
    }

    @Override
    Main main() {
        return new Main(
                "io.tidegate.servers.opensearch.NodeMain", List.of("-Dopensearch.path.home=" + folder()), List.of());
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, url(), Map.of()) == OK;
    }

    @Override
    public String toString() {
        return release + " " + url();
    }

    /** The settings of an {@link OpenSearchNode}. A property with a list is {@code [a, b]}. */
    public static final class Builder extends JvmServerBuilder<Builder> {
        private OpenSearchRelease release = OpenSearchRelease.ofTests();

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** Sets the release, instead of {@link OpenSearchRelease#ofTests}. */
        public Builder release(OpenSearchRelease wanted) {
            release = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** Creates a node without starting it. */
        public OpenSearchNode build() {
            return new OpenSearchNode(this);
        }
    }
}
