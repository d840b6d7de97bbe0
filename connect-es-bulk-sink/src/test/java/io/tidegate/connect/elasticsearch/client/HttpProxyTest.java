package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.client.tls.TestTls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.testkit.net.HttpProxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way through a forward proxy that demands a password, and headers for a gateway. */
@Timeout(60)
final class HttpProxyTest {
    private final HttpProxy proxy = HttpProxy.start("gull", "tern");

    @AfterEach
    void close() {
        proxy.close();
    }

    private Response get(StubServer server, String scheme, Map<String, String> settings) throws Exception {
        Map<String, String> props = new HashMap<>(Map.of(
                "connection.url",
                scheme + "://localhost:" + server.port(),
                "connection.username",
                "tide",
                "connection.password",
                "secret",
                "proxy.host",
                proxy.host(),
                "proxy.port",
                Integer.toString(proxy.port()),
                "proxy.username",
                "gull",
                "proxy.password",
                "tern",
                "ssl.ca",
                TestTls.pem("ca.pem")));
        props.putAll(settings);
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        ConfigDef def = TlsSettings.define(ConnectionSettings.define(new ConfigDef()));
        ConnectionSettings connection = ConnectionSettings.from(new AbstractConfig(def, props, false));
        try (ElasticsearchClient client = ElasticsearchClient.open(connection)) {
            ElasticsearchSession session = new ElasticsearchSession(client, connection);
            Response unused = session.perform(Request.of("GET", "/first"), "the first request");
            return session.perform(Request.of("GET", "/second"), "the second request");
        }
    }

    @Test
    void aPlainRequestIsSentOnceWithTheProxysCredentials() throws Exception {
        try (StubServer server = new StubServer()) {
            assertThat(get(server, "http", Map.of()).status()).isEqualTo(200);

            assertThat(server.requests()).extracting(StubServer.Request::uri).containsExactly("/first", "/second");
        }
        assertThat(proxy.forwarded()).isEqualTo(2);
        assertThat(proxy.refused()).isZero();
    }

    @Test
    void tlsGoesThroughATunnelAndTheServerNeverSeesTheProxysCredentials() throws Exception {
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(TestTls.serverContext()));
        try (StubServer server = new StubServer(https)) {
            assertThat(get(server, "https", Map.of()).status()).isEqualTo(200);

            assertThat(server.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.headers()).doesNotContainKey("Proxy-authorization");
                assertThat(request.headers().getFirst("Authorization")).startsWith("Basic ");
            });
        }
        assertThat(proxy.tunnels()).isEqualTo(1);
        assertThat(proxy.forwarded()).isZero();
    }

    @Test
    void aRefusalOfTheProxyIsFatalAndSaysWhatToCheck() throws Exception {
        try (StubServer server = new StubServer()) {
            Response response = get(server, "http", Map.of("proxy.password", "wrong"));

            assertThat(response.status()).isEqualTo(407);
            RequestFailure failure = RequestFailure.of("a request", response);
            assertThat(failure.failure()).isEqualTo(Failure.FATAL);
            assertThat(failure).hasMessageContaining("check proxy.username and proxy.password");
            assertThat(failure.kind()).isEqualTo(Verdict.Kind.ELSEWHERE);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void everyRequestHasTheHeadersOfTheSettings() throws Exception {
        try (StubServer server = new StubServer()) {
            get(server, "http", Map.of("http.headers", "X-Tenant: tides | X-Key: k"));

            assertThat(server.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.headers().getFirst("X-Tenant")).isEqualTo("tides");
                assertThat(request.headers().getFirst("X-Key")).isEqualTo("k");
            });
        }
    }
}
