package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.scenarios.SinkHarness;
import io.tidegate.connect.testkit.scenarios.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The sink on a cluster of three nodes over HTTPS, whose write queues are so short that they reject items all the time. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ElasticsearchClusterIT extends SinkHarness {
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
    void keepsTheOrderOfMergesWhileItemsAreRejected() {
        startSink(4, Map.of("key.ignore", "false", "write.method", "upsert", "max.in.flight.requests", "4"));
        for (int n = 0; n < 2_000; n++) {
            records().sendKeyed(topic(), "k" + n % 200, "{\"n\": " + n + ", \"seen" + n / 200 + "\": true}");
        }

        awaitLastStored(1_800, 2_000);
        assertThat(store.object(topic(), 1_999).size()).isEqualTo(11);
        assertThat(rejections()).isPositive();
        assertNoTaskFailed();
    }

    @Test
    void waitsWhileAFullDiskMakesTheIndexReadOnly() {
        startSink(1, Map.of());
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        long mark = logMark();
        block(true);
        records().send(topic(), 1_000, 2_000);
        awaitLogged(mark, "takes nothing for " + topic());
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
                            "read.timeout.ms", "2000"));
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

    /** Operations that full queues have rejected, on all nodes. */
    private long rejections() {
        JsonNode stats = nodes.get(2).request("GET", "/_nodes/stats/thread_pool", "");
        long rejected = 0;
        for (JsonNode node : stats.path("nodes")) {
            rejected += node.at("/thread_pool/write/rejected").asLong();
        }
        return rejected;
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
