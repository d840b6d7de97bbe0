package io.tidegate.connect.testkit.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

            node.request("PUT", "/_ingest/pipeline/plain", "{\"processors\": []}");
            node.request("PUT", "/_index_template/t", "{\"index_patterns\": [\"t*\"], \"composed_of\": []}");
            node.request("PUT", "/_security/role/reader", "{\"cluster\": [\"monitor\"]}");
            node.request("PUT", "/_security/user/x", "{\"password\": \"anything\", \"roles\": [\"reader\"]}");
            KeptElasticsearch.deleteEverything(node);
            for (String path : List.of(
                    "/stations",
                    "/_ingest/pipeline/plain",
                    "/_index_template/t",
                    "/_security/role/reader",
                    "/_security/user/x")) {
                assertThat(send(client, node, "GET", path, "", node.password()).statusCode())
                        .as(path)
                        .isEqualTo(404);
            }

            node.close();
            node.start(); // The node is new but keeps the certificates that its clients know.
            assertThat(send(client(node.caCertificate()), node, "GET", "/stations/_count", "", node.password())
                            .statusCode())
                    .isEqualTo(404);
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

    private static HttpClient client(Path authority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
