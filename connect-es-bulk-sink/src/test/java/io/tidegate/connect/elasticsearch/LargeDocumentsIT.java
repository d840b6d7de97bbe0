package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.net.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Documents of 10 MB and more, up to the largest body that the server takes, in a worker with a heap of 256 MB and
 * several tasks: before, in and after an outage.
 */
final class LargeDocumentsIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String TOPIC = "large";
    private static final int TASKS = 3;
    private static final int PARTITIONS = 6;
    private static final int DOCUMENTS = Integer.getInteger("large.documents", 24);
    private static final int DOCUMENT_BYTES = 10 << 20;
    private static final int LARGEST_BODY_MB = 12;

    /** The index has the rest of the body. */
    private static final int LARGEST_DOCUMENT_BYTES = (LARGEST_BODY_MB << 20) - 1_000;

    private static final KeptBroker BROKER = new KeptBroker();
    private static final ElasticsearchNode NODE = ElasticsearchNode.builder()
            .fastStart()
            .plainHttp()
            .heap("512m")
            .property("http.max_content_length", LARGEST_BODY_MB + "mb")
            .build();

    @BeforeAll
    static void start() {
        NODE.start();
        BROKER.start();
        BROKER.createTopic(TOPIC, PARTITIONS, Map.of("max.message.bytes", "20000000"));
        NODE.request(
                "PUT",
                "/" + TOPIC,
                "{\"settings\": {\"number_of_replicas\": 0}, \"mappings\": {\"properties\": {\"text\": {\"type\":"
                        + " \"keyword\", \"index\": false, \"doc_values\": false}}}}");
    }

    @AfterAll
    static void close() {
        BROKER.close();
        NODE.close();
    }

    @Test
    void aSmallWorkerWritesDocumentsOfAnySizeThatTheServerTakes() throws Exception {
        send();
        try (TcpProxy way = TcpProxy.to("localhost", NODE.url().getPort());
                ConnectWorker worker = ConnectWorker.builder()
                        .fastStart()
                        .heap("256m")
                        .bootstrapServers(BROKER.bootstrapServers())
                        .pluginPath(Path.of("target", "plugin"))
                        .build()) {
            worker.start();
            way.swallow();
            worker.rest().putConfig(TOPIC, config(way));
            await().atMost(SOON).until(() -> logOf(worker).contains("cannot be written to"));
            way.passOn();

            await().atMost(SOON).untilAsserted(() -> assertThat(stored()).isEqualTo(DOCUMENTS));
            assertThat(logOf(worker)).doesNotContain("OutOfMemoryError");
            assertThat(worker.rest().status(TOPIC).tasks()).hasSize(TASKS).allSatisfy(task -> assertThat(task.trace())
                    .isEmpty());
        }
    }

    /** Not compressed: the consumer must hold what it fetches. */
    private static void send() throws Exception {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                BROKER.bootstrapServers(),
                "max.request.size",
                20_000_000,
                "buffer.memory",
                64L << 20);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int n = 0; n < DOCUMENTS; n++) {
                int bytes = n % PARTITIONS == 0 ? LARGEST_DOCUMENT_BYTES : DOCUMENT_BYTES;
                producer.send(new ProducerRecord<>(TOPIC, n % PARTITIONS, null, document(n, bytes)))
                        .get();
            }
        }
    }

    private static byte[] document(int n, int bytes) {
        byte[] json = new byte[bytes];
        Arrays.fill(json, (byte) 'x');
        byte[] start = ("{\"n\":" + n + ",\"text\":\"").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, json, 0, start.length);
        json[bytes - 2] = '"';
        json[bytes - 1] = '}';
        return json;
    }

    private static Map<String, String> config(TcpProxy way) {
        return Map.of(
                "connector.class", ElasticsearchBulkSinkConnector.class.getName(),
                "topics", TOPIC,
                "tasks.max", Integer.toString(TASKS),
                "key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                "connection.url", "http://localhost:" + way.port(),
                "key.ignore", "true",
                "validate.server", "never",
                "read.timeout.ms", "5000");
    }

    private static int stored() {
        NODE.request("POST", "/" + TOPIC + "/_refresh", "");
        return NODE.request("GET", "/" + TOPIC + "/_count", "").path("count").asInt();
    }

    private static String logOf(ConnectWorker worker) throws IOException {
        return Files.readString(worker.log(), StandardCharsets.UTF_8);
    }
}
