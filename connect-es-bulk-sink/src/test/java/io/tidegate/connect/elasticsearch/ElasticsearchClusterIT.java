package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.testkit.scenarios.SinkHarness;
import io.tidegate.connect.testkit.scenarios.Store;
import io.tidegate.connect.testkit.scenarios.WorkerMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The sink on a cluster of three nodes over HTTPS, whose write queues are so short that they reject items all the time. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ElasticsearchClusterIT extends SinkHarness {
    private static final long KEYS = 200;

    private final List<ElasticsearchNode> nodes = ElasticsearchNode.builder()
            .fastStart()
            .property("thread_pool.write.size", "1")
            .property("thread_pool.write.queue_size", "8")
            .cluster(3);
    private final ElasticsearchStore store = new ElasticsearchStore(nodes.get(2), 3, 1);

    @TempDir
    static Path folder;

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void startStore() {
        nodes.forEach(ElasticsearchNode::start);
    }

    @Override
    protected void closeStore() {
        nodes.forEach(ElasticsearchNode::close);
    }

    /** The last test: the killed node stays down. */
    @Test
    @Order(Integer.MAX_VALUE)
    void comesThroughTheLossOfOneNodeOfThree() {
        Map<String, String> settings = new HashMap<>(allNodes());
        settings.put("max.in.flight.requests", "1"); // or the queues' rejections take most of the time
        startSink(2, settings);
        records().send(topic(), 0, 2_000);
        awaitFirstStored();
        nodes.get(2).request("GET", "/_cluster/health/" + topic() + "?wait_for_status=green&timeout=50s", "");

        nodes.get(1).kill();
        records().send(topic(), 2_000, 4_000);

        awaitStored(0, 4_000);
        assertNoTaskFailed();
    }

    @Test
    void keepsTheOrderOfMergesWhileItemsAreRejected() throws IOException {
        startSink(4, Map.of("key.ignore", "false", "write.method", "upsert", "max.in.flight.requests", "4"));
        AtomicInteger rounds = new AtomicInteger();
        try (WorkerMetrics metrics = new WorkerMetrics(worker());
                Flood flood = new Flood()) {
            await().atMost(SOON).until(() -> {
                sendMerges(rounds.getAndIncrement());
                return rounds.get() >= 10 && metrics.sumOfTasks(topic(), "bulk-rejections-total") > 0;
            });
            assertThat(flood.isRunning()).isTrue();
        }

        awaitLastStored(KEYS * (rounds.get() - 1), KEYS * rounds.get());
        assertThat(store.object(topic(), KEYS * rounds.get() - 1).size()).isEqualTo(rounds.get() + 1);
        assertNoTaskFailed();
    }

    /** One field more for each key. */
    private void sendMerges(int round) {
        for (int key = 0; key < KEYS; key++) {
            long n = KEYS * round + key;
            records().sendKeyed(topic(), "k" + key, "{\"n\": " + n + ", \"seen" + round + "\": true}");
        }
    }

    /** Others' bulk requests, which fill the queues of all nodes until this is closed. */
    private final class Flood implements AutoCloseable {
        private static final int CLIENTS = 24; // more than a node runs and queues
        private final String bulk = "{\"index\": {}}\n{\"text\": \"tide\"}\n".repeat(100);
        private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

        Flood() {
            store.create("flood");
            for (int client = 0; client < CLIENTS; client++) {
                ElasticsearchNode node = nodes.get(client % nodes.size());
                clients.execute(() -> {
                    while (isRunning()) {
                        sendTo(node);
                    }
                });
            }
        }

        private void sendTo(ElasticsearchNode node) {
            try {
                node.request("POST", "/flood/_bulk?filter_path=errors", bulk);
            } catch (ServerException e) {
                // The node is full, or too busy to accept connections. That is what this is for.
            }
        }

        boolean isRunning() {
            return !clients.isShutdown();
        }

        @Override
        public void close() {
            clients.shutdown();
            try {
                assertThat(clients.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            nodes.get(2).request("DELETE", "/flood", "");
        }
    }

    @Test
    void waitsWhileAFullDiskMakesTheIndexReadOnly() {
        startSink(1, Map.of());
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        long mark = logMark();
        block(true);
        records().send(topic(), 1_000, 2_000);
        awaitLogged(mark, "accepts no writes to " + topic());
        block(false);

        awaitStored(0, 2_000);
        assertNoTaskFailed();
    }

    @Test
    void goesRoundANodeThatSwallowsConnections() throws IOException {
        try (ServerSocket blackHole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "https://localhost:" + blackHole.getLocalPort();
            startSink(
                    2,
                    Map.of(
                            "connection.url", url + "," + nodes.get(2).url(),
                            "connection.timeout.ms", "500",
                            "read.timeout.ms", "10000"));
            records().send(topic(), 0, 2_000);

            awaitStored(0, 2_000);
            assertNoTaskFailed();
        }
    }

    private void block(boolean blocked) {
        nodes.get(2)
                .request(
                        "PUT",
                        "/" + topic() + "/_settings",
                        "{\"index.blocks.read_only_allow_delete\": " + (blocked ? "true" : "null") + "}");
    }

    /** Each node has its own authority: the bundle holds all of them. */
    private Map<String, String> allNodes() {
        String urls = nodes.stream().map(node -> node.url().toString()).collect(Collectors.joining(","));
        try {
            StringBuilder bundle = new StringBuilder();
            for (ElasticsearchNode node : nodes) {
                bundle.append(Files.readString(node.caCertificate()));
            }
            Path file = Files.writeString(folder.resolve("authorities.pem"), bundle);
            return Map.of("connection.url", urls, "ssl.ca", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
