package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Ports;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.ServerRelease;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An OpenSearch node, the product's own code from its jars: the server and its network, none of its other modules. Plain
 * HTTP without users: the security plugin is no part of it.
 */
public final class OpenSearchNode extends ChildServer implements SearchServer {
    private static final String MAIN = "io.tidegate.servers.opensearch.NodeMain";
    private static final int OK = 200;

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final Builder settings;
    private int port;
    private int transportPort;

    private OpenSearchNode(Builder builder) {
        super("opensearch");
        settings = builder;
        choosePorts();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public URI url() {
        return URI.create("http://localhost:" + port);
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return RestClient.parse(Http.exchange(http, method, url().resolve(path), Map.of(), json));
    }

    @Override
    protected void choosePorts() {
        port = Ports.free();
        transportPort = Ports.free();
    }

    @Override
    protected Launch prepare() {
        Path config = Folders.create(folder().resolve("config"));
        NodeSettings.write(config, "opensearch.yml", configuration());
        List<String> options = List.of(
                "-Dopensearch.path.home=" + folder(), "-Djava.io.tmpdir=" + Folders.create(folder().resolve("tmp")));
        ServerRelease release = settings.release.release();
        String classPath = release.classPath(folder(), log());
        Jvm jvm = settings.jvm.on(release.home());
        return new Launch(jvm.command(classPath, options, MAIN, List.of(folder().toString())), Map.of());
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>(NodeSettings.common("node-1", port, transportPort));
        all.put("discovery.type", "single-node");
        all.putAll(settings.settings);
        return all;
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, url(), Map.of()) == OK;
    }

    @Override
    public String toString() {
        return settings.release + " " + url();
    }

    /** The settings of an {@link OpenSearchNode}; not to be changed once it is built. */
    public static final class Builder {
        private final Map<String, String> settings = new LinkedHashMap<>();
        private OpenSearchRelease release = OpenSearchRelease.ofTests();
        private Jvm jvm = Jvm.ordinary();

        private Builder() {}

        /** This release, whatever the tests run on otherwise: {@link OpenSearchRelease#ofTests}. */
        public Builder release(OpenSearchRelease wanted) {
            release = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** Ready soon, with a small heap (256m unless set) and without the optimising compiler: for tests. */
        public Builder fastStart() {
            jvm = jvm.withFastStart();
            return this;
        }

        /** The heap as in {@code -Xmx}; 512m by default. */
        public Builder heap(String size) {
            jvm = jvm.withHeap(size);
            return this;
        }

        /** A setting of {@code opensearch.yml}, {@code [a, b]} for a list; it wins over the testkit's own. */
        public Builder setting(String key, String value) {
            settings.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** A node that is not started yet. */
        public OpenSearchNode build() {
            return new OpenSearchNode(this);
        }
    }
}
