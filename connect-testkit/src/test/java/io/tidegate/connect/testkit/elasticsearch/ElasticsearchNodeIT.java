package io.tidegate.connect.testkit.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class ElasticsearchNodeIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void keepsDocumentsThroughKillAndRestartBehindTlsAndPasswords() throws Exception {
        try (ElasticsearchNode node = ElasticsearchNode.builder().fastStart().build()) {
            node.start();
            HttpClient client = client(node.caCertificate());
            assertThat(node.url().getScheme()).isEqualTo("https");
            assertThat(send(client, node, "GET", "/", "", "wrong").statusCode()).isEqualTo(401);
            assertThatThrownBy(() -> HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(node.url()).build(), BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);

            loadTenStations(client, node);
            node.kill();
            node.start();

            Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(nearby(client, node))
                    .isEqualTo(5));
            node.restart();
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(nearby(client, node))
                    .isEqualTo(5));

            node.close();
            node.start(); // The node is new but keeps the certificates that its clients know.
            assertThat(send(client(node.caCertificate()), node, "GET", "/stations/_count", "", node.password())
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void asksForNothingOverPlainHttp() throws Exception {
        try (ElasticsearchNode node =
                ElasticsearchNode.builder().fastStart().plainHttp().build()) {
            node.start();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(node.url()).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(JSON.readTree(answer.body()).at("/version/number").asText())
                    .startsWith(ElasticsearchRelease.ofTests() == ElasticsearchRelease.V9 ? "9." : "8.");
        }
    }

    @Test
    void startsWithACertificateThatClientsMustRefuse() {
        try (ElasticsearchNode node = ElasticsearchNode.builder()
                .fastStart()
                .serverCertificate(Certificates.Request::expired)
                .build()) {
            node.start();
            assertThatThrownBy(() -> send(client(node.caCertificate()), node, "GET", "/", "", node.password()))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasRootCauseInstanceOf(CertificateExpiredException.class);
        }
    }

    @Test
    void asksClientsForTheirCertificates() throws Exception {
        try (ElasticsearchNode node = ElasticsearchNode.builder()
                .fastStart()
                .requireClientCertificates()
                .build()) {
            node.start();
            assertThatThrownBy(() -> send(client(node.caCertificate()), node, "GET", "/", "", node.password()))
                    .isInstanceOf(IOException.class);
            char[] storePassword = Certificates.STORE_PASSWORD.toCharArray();
            Certificates.Identity identity =
                    node.certificates().client("connect").issue();
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(KeyStore.getInstance(identity.keyStore().toFile(), storePassword), storePassword);
            HttpClient known = client(node.caCertificate(), keys.getKeyManagers());
            assertThat(send(known, node, "GET", "/", "", node.password()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void threeNodesFormAClusterThatOutlivesOneOfThem() throws Exception {
        List<ElasticsearchNode> nodes = ElasticsearchNode.builder().fastStart().cluster(3);
        try {
            nodes.forEach(ElasticsearchNode::start);
            ElasticsearchNode last = nodes.get(2);
            HttpClient client = client(last.caCertificate());
            assertThat(health(client, last, 3)).isEqualTo(3);

            nodes.get(0).kill();

            Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(health(client, last, 2))
                    .isEqualTo(2));
        } finally {
            nodes.forEach(ElasticsearchNode::close);
        }
    }

    private static void loadTenStations(HttpClient client, ElasticsearchNode node) throws Exception {
        String mapping = "{\"mappings\": {\"properties\": {\"place\": {\"type\": \"geo_point\"}}}}";
        assertThat(send(client, node, "PUT", "/stations", mapping, node.password())
                        .statusCode())
                .isEqualTo(200);
        String bulk = IntStream.range(0, 10)
                .mapToObj(i -> "{\"index\": {\"_id\": %d}}\n{\"place\": {\"lat\": %d, \"lon\": 0}}\n".formatted(i, i))
                .collect(Collectors.joining());
        HttpResponse<String> answer = send(client, node, "POST", "/stations/_bulk?refresh=true", bulk, node.password());
        assertThat(JSON.readTree(answer.body()).path("errors").asBoolean(true)).isFalse();
        assertThat(nearby(client, node)).isEqualTo(5);
    }

    /** Counts stations up to 4.5 degrees north of the equator: 0 to 4. */
    private static int nearby(HttpClient client, ElasticsearchNode node) throws Exception {
        String query = """
                {"query": {"geo_distance": {"distance": "500km", "place": {"lat": 0, "lon": 0}}}}""";
        HttpResponse<String> answer = send(client, node, "POST", "/stations/_count", query, node.password());
        return JSON.readTree(answer.body()).path("count").asInt(-1);
    }

    private static int health(HttpClient client, ElasticsearchNode node, int nodes) throws Exception {
        String path = "/_cluster/health?timeout=30s&wait_for_nodes=" + nodes;
        JsonNode health = JSON.readTree(
                send(client, node, "GET", path, "", node.password()).body());
        return health.path("number_of_nodes").asInt();
    }

    private static HttpResponse<String> send(
            HttpClient client, ElasticsearchNode node, String method, String path, String body, String password)
            throws Exception {
        String credentials = node.username() + ":" + password;
        HttpRequest request = HttpRequest.newBuilder(node.url().resolve(path))
                .timeout(SOON)
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static HttpClient client(Path authority, KeyManager... keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
