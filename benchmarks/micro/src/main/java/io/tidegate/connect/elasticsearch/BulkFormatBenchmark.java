package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Writes the body of a request, plain and compressed, and reads the response, without a network. */
public class BulkFormatBenchmark extends MicroBenchmark {
    private static final int FAILED_EVERY = 100;

    /** Documents per request. */
    @Param({"100", "2000"})
    public int records;

    private List<Document> documents;
    private BulkBody plain;
    private BulkBody compressed;
    private BulkBody withMetadata;
    private byte[] allWell;
    private byte[] someFailed;

    @Setup
    public void fill() {
        Map<String, String> props = Map.of("connection.url", "http://127.0.0.1:9200", "key.ignore", "true");
        ElasticsearchTargetType type = new ElasticsearchTargetType();
        try (Target target = type.open(props)) {
            documents = Readings.documents(records, target.mapper());
        }
        DocumentSettings settings = DocumentSettings.from(new AbstractConfig(type.config(), props, false));
        IndexSettings index = IndexSettings.from(new AbstractConfig(type.config(), props, false));
        Map<String, String> added = new HashMap<>(props);
        added.put("metadata.fields", "topic,partition,offset,timestamp,key,headers");
        withMetadata = new BulkBody(
                DocumentSettings.from(new AbstractConfig(type.config(), added, false)),
                IndexSettings.from(new AbstractConfig(
                        type.config(), Map.of("connection.url", "", "destination.type", "data_stream"), false)),
                false);
        plain = new BulkBody(settings, index, false);
        compressed = new BulkBody(settings, index, true);
        allWell = answer(false, records, Integer.MAX_VALUE);
        someFailed = answer(true, records, FAILED_EVERY);
    }

    private static byte[] answer(boolean errors, int items, int failedEvery) {
        return IntStream.rangeClosed(1, items)
                .mapToObj(item -> item % failedEvery == 0
                        ? "{\"index\":{\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\","
                                + "\"reason\":\"rejected execution of coordinating operation\"}}}"
                        : "{\"index\":{\"status\":201}}")
                .collect(Collectors.joining(",", "{\"errors\":" + errors + ",\"items\":[", "]}"))
                .getBytes(US_ASCII);
    }

    @Benchmark
    public Object body() {
        return filled(plain);
    }

    @Benchmark
    public Object compressedBody() {
        return filled(compressed);
    }

    /** With all metadata and {@code @timestamp} in each document. */
    @Benchmark
    public Object bodyWithMetadata() {
        return filled(withMetadata);
    }

    private Object filled(BulkBody body) {
        body.clear();
        for (Document document : documents) {
            body.add(document);
        }
        return body.data();
    }

    /** The usual response, which is not read to its end. */
    @Benchmark
    public Object answerAllWell() throws IOException {
        return BulkResponse.read(new ByteArrayInputStream(allWell), records, false);
    }

    /** A response in which one item of a hundred is rejected. */
    @Benchmark
    public Object answerWithFailures() throws IOException {
        return BulkResponse.read(new ByteArrayInputStream(someFailed), records, false);
    }
}
