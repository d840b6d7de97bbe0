package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.net.Ports;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.PropertyFiles;
import io.tidegate.connect.testkit.process.ServerRelease;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An Elasticsearch node, the product's own code from its jars; what stands in for pieces that are not
 * on Maven Central is listed in {@code CommonStandIns} of the module testkit-server-elasticsearch-8. HTTPS
 * with the product's security, user {@code elastic}, unless {@link Builder#plainHttp} is asked for.
 */
public final class ElasticsearchNode extends ChildServer implements Elasticsearch {
    private static final String MAIN = "org.elasticsearch.node.NodeMain";
    private static final List<String> PLAIN_PLUGINS =
            List.of("org.elasticsearch.transport.netty4.Netty4Plugin", "io.tidegate.servers.elasticsearch.StandIns");
    private static final List<String> SECURITY_PLUGINS =
            List.of("org.elasticsearch.xpack.core.XPackPlugin", "org.elasticsearch.xpack.security.SecurityWithoutSaml");

    private final Builder settings;
    private final String name;
    private final ElasticsearchSecurity security;
    private final HttpClient http;
    private final Map<String, String> cluster = new LinkedHashMap<>();
    private int port;
    private int transportPort;

    private ElasticsearchNode(Builder builder, String name, String password) {
        super("elasticsearch");
        settings = builder;
        this.name = name;
        security = new ElasticsearchSecurity(
                folder().resolve("config"), password, builder.serverCertificate, builder.clientCertificates);
        http = builder.plainHttp
                ? Http.plain(ElasticsearchRest.CONNECT)
                : Http.secure(security.probe(), ElasticsearchRest.CONNECT);
        cluster.put("discovery.type", "single-node");
        choosePorts();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@link Builder#cluster} with ordinary settings. */
    public static List<ElasticsearchNode> cluster(int nodes) {
        return builder().cluster(nodes);
    }

    /** {@code https://localhost:PORT}, or {@code http:}; fixed once the node has started. */
    @Override
    public URI url() {
        return URI.create((settings.plainHttp ? "http" : "https") + "://localhost:" + port);
    }

    @Override
    public String username() {
        return ElasticsearchRest.USER;
    }

    /** Random; the same in all nodes of a cluster. Plain HTTP asks for none. */
    @Override
    public String password() {
        return security.password();
    }

    @Override
    public Path caCertificate() {
        return certificates().caCertificate();
    }

    /** The authority that issued the node's certificate; clients with certificates from it are trusted. */
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
    protected void choosePorts() {
        port = Ports.free();
        transportPort = Ports.free();
    }

    @Override
    protected Launch prepare() {
        Path config = Folders.create(folder().resolve("config"));
        NodeSettings.write(config, "elasticsearch.yml", configuration());
        PropertyFiles.write(config.resolve("secure.properties"), settings.plainHttp ? Map.of() : security.secrets());
        List<String> arguments = new ArrayList<>(List.of(folder().toString()));
        arguments.addAll(PLAIN_PLUGINS);
        if (!settings.plainHttp) {
            arguments.addAll(SECURITY_PLUGINS);
        }
        ServerRelease release = settings.release.release();
        String classPath = release.classPath(folder(), log());
        Jvm jvm = settings.jvm.on(release.home());
        return new Launch(jvm.command(classPath, options(), MAIN, arguments), Map.of());
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        options.add("-Des.path.home=" + folder());
        options.add("-Djava.io.tmpdir=" + Folders.create(folder().resolve("tmp")));
        options.addAll(settings.release.options());
        return options;
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>(NodeSettings.common(name, port, transportPort));
        all.putAll(cluster);
        if (!settings.plainHttp) {
            all.putAll(security.settings());
        }
        all.putAll(settings.settings);
        return all;
    }

    @Override
    protected boolean isReady() {
        return rest().isReady(!settings.plainHttp);
    }

    @Override
    public String toString() {
        return settings.release + " " + name + " " + url();
    }

    /** The settings of an {@link ElasticsearchNode}; not to be changed once it is built. */
    public static final class Builder {
        private final Map<String, String> settings = new LinkedHashMap<>();
        private UnaryOperator<Certificates.Request> serverCertificate = UnaryOperator.identity();
        private boolean clientCertificates;
        private boolean plainHttp;
        private ElasticsearchRelease release = ElasticsearchRelease.ofTests();
        private Jvm jvm = Jvm.ordinary();

        private Builder() {}

        /** This release, whatever the tests run on otherwise: {@link ElasticsearchRelease#ofTests}. */
        public Builder release(ElasticsearchRelease wanted) {
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

        /** A setting of {@code elasticsearch.yml}, {@code [a, b]} for a list; it wins over the testkit's own. */
        public Builder setting(String key, String value) {
            settings.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** No TLS and no security: any credentials, or none. */
        public Builder plainHttp() {
            plainHttp = true;
            return this;
        }

        /** Changes what the node's certificate says: {@code request -> request.expired()}. */
        public Builder serverCertificate(UnaryOperator<Certificates.Request> change) {
            serverCertificate = Objects.requireNonNull(change, "change");
            return this;
        }

        /** Refuses clients without a certificate from {@link ElasticsearchNode#certificates}. */
        public Builder requireClientCertificates() {
            clientCertificates = true;
            return this;
        }

        /** A node that is not started yet. */
        public ElasticsearchNode build() {
            return new ElasticsearchNode(this, "node-1", Passwords.random());
        }

        /**
         * Nodes that form a cluster, not started yet. Start them in their order the first time: the first
         * one founds the cluster, the others join it. Each has an authority of its own.
         */
        public List<ElasticsearchNode> cluster(int nodes) {
            String password = Passwords.random();
            List<ElasticsearchNode> members = IntStream.rangeClosed(1, nodes)
                    .mapToObj(i -> new ElasticsearchNode(this, "node-" + i, password))
                    .toList();
            String seeds = members.stream()
                    .map(member -> "\"127.0.0.1:" + member.transportPort + "\"")
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
