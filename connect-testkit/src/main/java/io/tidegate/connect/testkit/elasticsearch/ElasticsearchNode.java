package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import io.tidegate.connect.testkit.process.PropertyFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An Elasticsearch node that runs the product's own code from its jars. {@code CommonStandIns} in the module
 * testkit-server-elasticsearch-8 lists the replacements for what is not on Maven Central. The node has HTTPS and the
 * product's security, with the user {@code elastic}, unless {@link Builder#plainHttp} was called.
 */
public final class ElasticsearchNode extends SearchNode implements Elasticsearch {
    private static final String MAIN = "org.elasticsearch.node.NodeMain";
    private static final String BATCH_INDEXING = "indices.batch_indexing";
    private static final List<String> PLAIN_PLUGINS =
            List.of("org.elasticsearch.transport.netty4.Netty4Plugin", "io.tidegate.servers.elasticsearch.StandIns");
    private static final List<String> SECURITY_PLUGINS =
            List.of("org.elasticsearch.xpack.core.XPackPlugin", "org.elasticsearch.xpack.security.SecurityWithoutSaml");

    private final ElasticsearchRelease release;
    private final boolean plainHttp;
    private final boolean batchIndexing;
    private final ElasticsearchSecurity security;
    private final HttpClient http;
    private final Map<String, String> cluster = new LinkedHashMap<>(Map.of("discovery.type", "single-node"));

    private ElasticsearchNode(Builder builder, String name, String password) {
        super("elasticsearch", name, builder.release.release(), builder);
        release = builder.release;
        plainHttp = builder.plainHttp;
        batchIndexing = builder.properties().containsKey(BATCH_INDEXING);
        security = new ElasticsearchSecurity(config(), password, builder.clientCertificates);
        http = plainHttp
                ? Http.plain(ElasticsearchRest.CONNECT)
                : Http.secure(security.probe(), ElasticsearchRest.CONNECT);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@code https://localhost:PORT}, or {@code http:}. Does not change after the first start. */
    @Override
    public URI url() {
        return URI.create((plainHttp ? "http" : "https") + "://localhost:" + port("http"));
    }

    @Override
    public String username() {
        return ElasticsearchRest.USER;
    }

    /** The random password, the same in all nodes of a cluster. A node with plain HTTP ignores it. */
    @Override
    public String password() {
        return security.password();
    }

    @Override
    public Path caCertificate() {
        return certificates().caCertificate();
    }

    /** The authority that issued the node's certificate. The node trusts clients with certificates from it. */
    public Certificates certificates() {
        return security.certificates();
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return rest().request(method, path, json);
    }

    private ElasticsearchRest rest() {
        return new ElasticsearchRest(http, url(), password());
    }

    @Override
    protected Launch prepare() {
        PropertyFiles.write(
                Folders.create(config()).resolve("secure.properties"), plainHttp ? Map.of() : security.secrets());
        return super.prepare();
    }

    @Override
    Main main() {
        List<String> options = new ArrayList<>(List.of("-Des.path.home=" + folder()));
        options.addAll(release.options());
        if (batchIndexing) {
            options.add("-Des.batch_indexing_feature_flag_enabled=true");
        }
        List<String> plugins = new ArrayList<>(PLAIN_PLUGINS);
        if (!plainHttp) {
            plugins.addAll(SECURITY_PLUGINS);
        }
        return new Main(MAIN, options, plugins);
    }

    @Override
    Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(cluster);
        if (!plainHttp) {
            all.putAll(security.settings());
        }
        return all;
    }

    @Override
    protected boolean isReady() {
        return rest().isReady(!plainHttp);
    }

    @Override
    public String toString() {
        return release + " " + name() + " " + url();
    }

    /** The settings of an {@link ElasticsearchNode}. A property with a list is {@code [a, b]}. */
    public static final class Builder extends JvmServerBuilder<Builder> {
        private boolean clientCertificates;
        private boolean plainHttp;
        private ElasticsearchRelease release = ElasticsearchRelease.ofTests();

        private Builder() {}

        /** Sets the release, instead of {@link ElasticsearchRelease#ofTests}. */
        public Builder release(ElasticsearchRelease wanted) {
            release = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** Switches TLS and security off: the node accepts any credentials, or none. */
        public Builder plainHttp() {
            plainHttp = true;
            return this;
        }

        /** Indexes the documents of a bulk together. Needs release 9, where it is behind a feature flag. */
        public Builder batchIndexing() {
            return property(BATCH_INDEXING, "true");
        }

        /** Makes the node reject clients without a certificate from {@link ElasticsearchNode#certificates}. */
        public Builder requireClientCertificates() {
            clientCertificates = true;
            return this;
        }

        /** Creates a node without starting it. */
        public ElasticsearchNode build() {
            return new ElasticsearchNode(this, "node-1", Passwords.random());
        }

        /**
         * Creates the nodes of a cluster without starting them. The first time, start them in this order: the first
         * node founds the cluster and the others join it. Each node has a separate authority.
         */
        public List<ElasticsearchNode> cluster(int nodes) {
            String password = Passwords.random();
            List<ElasticsearchNode> members = IntStream.rangeClosed(1, nodes)
                    .mapToObj(i -> new ElasticsearchNode(this, "node-" + i, password))
                    .toList();
            String seeds = members.stream()
                    .map(member -> "\"127.0.0.1:" + member.port("transport") + "\"")
                    .collect(Collectors.joining(", ", "[", "]"));
            for (ElasticsearchNode member : members) {
                member.cluster.put("discovery.type", "multi-node");
                member.cluster.put("discovery.seed_hosts", seeds);
            }
            members.get(0).cluster.put("cluster.initial_master_nodes", "[node-1]");
            return members;
        }
    }
}
