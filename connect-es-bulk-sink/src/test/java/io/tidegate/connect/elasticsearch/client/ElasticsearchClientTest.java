package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
final class ElasticsearchClientTest {
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

            assertThat(perform(client).status()).isEqualTo(status);
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
        try (ElasticsearchClient client = open()) {
            send(client);
            client.stack().close();
            send(client);
            assertThat(connectionsUsed()).isEqualTo(2);
        }
    }

    @Test
    void aRequestThatMeetsThreadsThatHaveEndedIsToBeRepeated() throws Exception {
        try (ElasticsearchClient client = open()) {
            CompletableFuture<RequestFailure> failure = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(RequestFailure.class, () -> perform(client)));
            CountDownLatch arrived = server.hangs();
            waitFor(arrived);
            client.stack().close();

            assertThat(failure.get(20, TimeUnit.SECONDS).failure()).isEqualTo(Failure.TRANSIENT);
        }
    }

    /** The node answers others, so it is not avoided, and batches do not become smaller. */
    @Test
    void aRequestWithoutAFreeConnectionIsBusy() throws Exception {
        try (ElasticsearchClient client = open("connection.pool.max.size", "1", "connection.timeout.ms", "5000")) {
            CountDownLatch arrived = server.hangs();
            CompletableFuture<RequestFailure> first = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(RequestFailure.class, () -> perform(client)));
            waitFor(arrived);
            CompletableFuture<RequestFailure> second = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(RequestFailure.class, () -> perform(client)));

            await().until(() -> client.connections().waiting() == 1);
            assertThat(second.get(20, TimeUnit.SECONDS).failure()).isEqualTo(Failure.BUSY);
            assertThat(client.connections().waiting()).isZero();
            assertThat(server.requests()).hasSize(1);

            client.stack().close();
            assertThat(first.get(20, TimeUnit.SECONDS).failure()).isEqualTo(Failure.TRANSIENT);
        }
    }

    @Test
    void aSlowResolverHoldsUpNeitherMetricsNorAnAbort() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        ConnectionSettings settings = settings();
        try (ElasticsearchClient client = ElasticsearchClient.open(settings, host -> {
            asked.countDown();
            waitFor(answer);
            return InetAddress.getAllByName(host);
        })) {
            ElasticsearchSession session = new ElasticsearchSession(client, settings);
            CompletableFuture<RequestFailure> failure = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(RequestFailure.class, () -> session.perform(REQUEST, "a request")));
            waitFor(asked);

            assertThat(client.connections().active()).isZero();
            session.abort();

            assertThat(failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("CancellationException");
            assertThat(server.requests()).isEmpty();
            answer.countDown();
        }
    }

    @Test
    void sendsToTheOtherNodesWhileOneNameDoesNotResolve() throws Exception {
        ConnectionSettings settings = settings(
                "connection.url", server.url() + "," + server.url().replaceFirst("//[^:/]*", "//unknown.invalid"));
        CountDownLatch never = new CountDownLatch(1);
        try (ElasticsearchClient client = ElasticsearchClient.open(settings, host -> {
            if (host.equals("unknown.invalid")) {
                waitFor(never);
                throw new UnknownHostException(host);
            }
            return InetAddress.getAllByName(host);
        })) {
            for (int i = 0; i < 4; i++) {
                send(client);
            }
        } finally {
            never.countDown();
        }
        assertThat(server.requests()).hasSize(4);
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

    private void send(ElasticsearchClient client) throws RequestFailure {
        server.answers(200, "{}");
        assertThat(perform(client).status()).isEqualTo(200);
    }

    private Response perform(ElasticsearchClient client) throws RequestFailure {
        return new ElasticsearchSession(client, settings()).perform(REQUEST, "a request");
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

    private ElasticsearchClient open(String... keysAndValues) {
        return ElasticsearchClient.open(settings(keysAndValues));
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
