package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import co.elastic.clients.transport.DefaultTransportOptions;
import co.elastic.clients.transport.http.TransportHttpClient;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of one client: whom they lead to, how long they last, what they wait for. */
@Timeout(60)
final class RestElasticsearchClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Request REQUEST = Request.of("GET", "/_cluster/health");

    private final StubServer server = new StubServer();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void takesTheCredentialsNowhereElse(int status) throws Exception {
        try (StubServer other = new StubServer();
                ElasticsearchClient client = open("connection.username", "tide", "connection.password", "secret")) {
            server.answers(status, Map.of("Location", other.url() + "/_cluster/health"), "");
            other.answers(200, "{}");

            assertThat(client.send(REQUEST).await(LIMIT).status()).isEqualTo(status);
            assertThat(other.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection.max.idle.ms", "connection.max.lifetime.ms"})
    void replacesAConnectionAfterItsTime(String setting) throws Exception {
        try (ElasticsearchClient client = open(setting, "1")) {
            await().until(() -> {
                send(client);
                return connectionsUsed() > 1;
            });
        }
    }

    @Test
    void keepsAConnectionUntilThen() throws Exception {
        try (ElasticsearchClient client = open("connection.max.idle.ms", "0", "connection.max.lifetime.ms", "0")) {
            for (int i = 0; i < 20; i++) {
                send(client);
            }
            assertThat(connectionsUsed()).isEqualTo(1);
        }
    }

    @Test
    void opensNewThreadsForConnectionsWhenTheOldOnesHaveEnded() throws Exception {
        try (RestElasticsearchClient client = open()) {
            send(client);
            client.stack().close();
            send(client);
            assertThat(connectionsUsed()).isEqualTo(2);
        }
    }

    @Test
    void aRequestThatMeetsThreadsThatHaveEndedIsToBeRepeated() {
        try (RestElasticsearchClient client = open()) {
            HttpStack dead = client.stack();
            dead.close();

            assertThat(dead.http()
                            .performRequestAsync(
                                    "test",
                                    null,
                                    new TransportHttpClient.Request("GET", "/", Map.of(), Map.of(), null),
                                    DefaultTransportOptions.EMPTY))
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .satisfies(failure -> assertThat(
                                    ConnectionFailures.of(failure.getCause()).failure())
                            .isEqualTo(Failure.TRANSIENT));
        }
    }

    @Test
    void aSlowResolverHoldsUpNeitherMetricsNorAnAbort() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        ConnectionSettings settings = settings();
        try (RestElasticsearchClient client = RestElasticsearchClient.open(settings, host -> {
            asked.countDown();
            waitFor(answer);
            return InetAddress.getAllByName(host);
        })) {
            ElasticsearchSession session = new ElasticsearchSession(client, settings);
            CompletableFuture<TransportException> failure = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(TransportException.class, () -> session.perform(REQUEST)));
            waitFor(asked);

            assertThat(client.connections().active()).isZero();
            session.abort();
            answer.countDown();

            assertThat(failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("the attempt was cancelled");
        }
    }

    @Test
    void asksNothingWhenTheSettingsNameTheProduct() throws Exception {
        ConnectionSettings settings = settings("server.product", "OpenSearch");
        server.answersWhatItIsWith(500).answers(200, "{}");
        try (RestElasticsearchClient client = RestElasticsearchClient.open(settings)) {
            ElasticsearchSession session = new ElasticsearchSession(client, settings);

            assertThat(session.server().product()).isEqualTo(Server.Product.OPENSEARCH);
            assertThat(session.perform(REQUEST).status()).isEqualTo(200);
            assertThat(server.requests().get(0).headers().getFirst("Accept")).isEqualTo("application/json");
        }
    }

    @Test
    void doesNotTakeAProxysPageForTheProduct() throws Exception {
        ConnectionSettings settings = settings();
        server.isOpenSearch().doesNotSayWhatItIs();
        try (RestElasticsearchClient client = RestElasticsearchClient.open(settings)) {
            ElasticsearchSession session = new ElasticsearchSession(client, settings);
            session.server();
            server.answersWhatItIsWith(200);

            assertThat(session.server().product()).isEqualTo(Server.Product.OPENSEARCH);
        }
    }

    @Test
    void sendsThePathOfTheUrlAsItIsWritten() throws Exception {
        try (ElasticsearchClient client = open("connection.url", server.url() + "/a%20gateway/es")) {
            send(client);
            assertThat(server.requests())
                    .extracting(StubServer.Request::uri)
                    .singleElement()
                    .asString()
                    .startsWith("/a%20gateway/es/");
        }
    }

    private void send(ElasticsearchClient client) throws TransportException {
        server.answers(200, "{}");
        assertThat(client.send(REQUEST).await(LIMIT).status()).isEqualTo(200);
    }

    private long connectionsUsed() {
        return server.requests().stream()
                .map(StubServer.Request::clientPort)
                .distinct()
                .count();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private RestElasticsearchClient open(String... keysAndValues) {
        return RestElasticsearchClient.open(settings(keysAndValues));
    }

    private ConnectionSettings settings(String... keysAndValues) {
        Map<String, String> props = new HashMap<>(Map.of("connection.url", server.url()));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            props.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        ConfigDef def = TlsSettings.define(ConnectionSettings.define(new ConfigDef()));
        return ConnectionSettings.from(new AbstractConfig(def, props, false));
    }
}
