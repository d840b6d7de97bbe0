package io.tidegate.connect.testkit.containers;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRest;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/** A node with users and TLS. A worker reaches it through Toxiproxy. */
final class ElasticsearchContainer extends ContainerServer implements Elasticsearch {
    private static final int PORT = 9200;
    private static final String HTTP = "xpack.security.http.ssl.";
    private static final String CERTIFICATES = "/usr/share/elasticsearch/config/certs/";

    private final Toxiproxy toxiproxy;
    private final Path folder = Folders.temporary("elasticsearch-certificates");
    private final Certificates certificates = Certificates.authority(folder);
    private final String password = Passwords.random();
    private final int port = Ports.free();

    ElasticsearchContainer(ContainerNetwork network, Toxiproxy toxiproxy) {
        super(network, "elasticsearch", Images.official("elasticsearch"));
        this.toxiproxy = toxiproxy;
    }

    @Override
    void configure(GenericContainer<?> container) {
        toxiproxy.start();
        toxiproxy.forward(alias(), PORT);
        ContainerNetwork.publish(container, Map.of(port, PORT));
        Certificates.Identity identity = certificates
                .server("http")
                .hosts("localhost", "127.0.0.1", ContainerNetwork.host(), toxiproxy.alias())
                .issue();
        container
                .withCopyToContainer(text(identity.certificate()), CERTIFICATES + "http.pem")
                .withCopyToContainer(text(identity.privateKey()), CERTIFICATES + "http.key")
                .withEnv("ELASTIC_PASSWORD", password)
                .withEnv("ES_JAVA_OPTS", "-Xms512m -Xmx512m -XX:TieredStopAtLevel=1")
                .withEnv(settings());
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("discovery.type", "single-node");
        // Otherwise a nearly full disk would make the indices read-only.
        settings.put("cluster.routing.allocation.disk.threshold_enabled", "false");
        settings.put("xpack.security.enabled", "true");
        settings.put("xpack.security.transport.ssl.enabled", "false");
        settings.put(HTTP + "enabled", "true");
        settings.put(HTTP + "certificate", "certs/http.pem");
        settings.put(HTTP + "key", "certs/http.key");
        return settings;
    }

    private static Transferable text(Path file) {
        try {
            return Transferable.of(Files.readAllBytes(file), 0644);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public URI url() {
        return URI.create("https://" + ContainerNetwork.host() + ":" + port);
    }

    @Override
    public URI workerUrl() {
        return URI.create("https://" + toxiproxy.alias() + ":" + PORT);
    }

    @Override
    public String username() {
        return ElasticsearchRest.USER;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public Path caCertificate() {
        return certificates.caCertificate();
    }

    @Override
    public JsonNode request(String method, String path, String json) {
        return rest().request(method, path, json);
    }

    private ElasticsearchRest rest() {
        return new ElasticsearchRest(certificates.trustingContext(), url(), password);
    }

    @Override
    boolean isReady() {
        return rest().isReady();
    }

    @Override
    public void close() {
        super.close();
        Folders.delete(folder);
    }
}
