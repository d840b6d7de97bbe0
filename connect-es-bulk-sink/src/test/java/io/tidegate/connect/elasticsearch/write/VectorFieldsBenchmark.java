package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRelease;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What vectors cost as arrays and as Base64, on demand: one lane, plain HTTP, in turns. It needs {@code
 * -Dtidegate.tests.jvm=-Xmx1g}, because tests run without the JVM's optimizing compiler. No build runs it,
 * and it asserts no time.
 */
final class VectorFieldsBenchmark {
    private static final int ROUNDS = Integer.getInteger("vectors.rounds", 5);
    private static final int DOCUMENTS = Integer.getInteger("vectors.documents", 20_000);
    private static final int BATCH = Integer.getInteger("vectors.batch", 500);
    private static final int DIMENSIONS = Integer.getInteger("vectors.dimensions", 768);

    /** The kind of the index over the vectors; {@code none} for none. */
    private static final String KIND = System.getProperty("vectors.kind", "flat");

    private final ElasticsearchNode node = ElasticsearchNode.builder()
            .release(ElasticsearchRelease.V9)
            .plainHttp()
            .heap("2g")
            .build();

    @Test
    void table() throws Exception {
        node.start();
        try {
            List<List<Document>> batches = batches();
            System.out.printf(
                    "%d documents of %d dimensions and %d bytes, %d in a request, index %s%n",
                    DOCUMENTS, DIMENSIONS, batches.get(0).get(0).json().length(), BATCH, KIND);
            System.out.println("| round | form | documents/s | server us/document | client us/document |");
            System.out.println("|---|---|---|---|---|");
            for (int round = -1; round < ROUNDS; round++) {
                for (String fields : List.of("", "v")) {
                    measure(round, fields, batches);
                }
            }
        } finally {
            node.close();
        }
    }

    private void measure(int round, String fields, List<List<Document>> batches) throws Exception {
        String indexed = KIND.equals("none")
                ? "\"index\": false"
                : "\"index\": true, \"similarity\": \"dot_product\", \"index_options\": {\"type\": \"" + KIND + "\"}";
        node.request(
                "PUT",
                "/vectors",
                "{\"settings\": {\"number_of_replicas\": 0, \"refresh_interval\": -1}, \"mappings\": {\"properties\":"
                        + " {\"v\": {\"type\": \"dense_vector\", \"dims\": " + DIMENSIONS + ", " + indexed
                        + "}}}}");
        Map<String, String> settings = Map.of(
                "connection.url",
                node.workerUrl().toString(),
                "topics",
                "tides",
                "document.id",
                "none",
                "vector.fields",
                fields);
        try (Target target = new ElasticsearchTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            Duration before = node.cpuTime();
            long client = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long start = System.nanoTime();
            for (List<Document> batch : batches) {
                if (!writer.write(batch).isEmpty()) {
                    throw new IllegalStateException("a document was refused");
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double clientMicros = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - client) / 1e3;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %,.0f | %,.1f | %,.1f |%n",
                    round < 0 ? "warm-up" : Integer.toString(round),
                    fields.isEmpty() ? "arrays" : "Base64",
                    DOCUMENTS / seconds,
                    node.cpuTime().minus(before).toNanos() / 1e3 / DOCUMENTS,
                    clientMicros / DOCUMENTS);
        } finally {
            node.request("DELETE", "/vectors", "");
        }
    }

    /** As models write them: of length 1, each element a double. */
    private static List<List<Document>> batches() {
        Random random = new Random(1);
        List<List<Document>> batches = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i % BATCH == 0) {
                batches.add(new ArrayList<>(BATCH));
            }
            double[] vector = random.doubles(DIMENSIONS, -1, 1).toArray();
            double length = Math.sqrt(IntStream.range(0, DIMENSIONS)
                    .mapToDouble(at -> vector[at] * vector[at])
                    .sum());
            String json = IntStream.range(0, DIMENSIONS)
                    .mapToObj(at -> Double.toString(vector[at] / length))
                    .collect(Collectors.joining(",", "{\"n\":" + i + ",\"v\":[", "]}"));
            batches.get(batches.size() - 1).add(Documents.of("vectors", "", i, json));
        }
        return batches;
    }
}
