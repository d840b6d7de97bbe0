package io.tidegate.connect.elasticsearch;

import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperation;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.instrumentation.NoopInstrumentation;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.ContentType;
import io.tidegate.connect.bench.micro.BulkEndpoint;
import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.http.HttpHost;
import org.apache.kafka.connect.sink.SinkRecord;
import org.elasticsearch.client.RestClient;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A bulk request, from Connect's records to the response that was read: through the sink, and through the two bulk APIs
 * of elasticsearch-java. Those get documents as {@link BinaryData}, which is cheapest, because they do not parse it. A
 * document's id is its topic, partition and offset. One request is in flight.
 */
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class BulkPathBenchmark extends MicroBenchmark {
    /** Documents per request. */
    @Param({"100", "1000", "5000"})
    public int records;

    private BulkEndpoint endpoint;
    private List<SinkRecord> delivered;
    private Progress progress;
    private Target target;
    private DocumentMapper mapper;
    private BatchWriter writer;
    private RestClientTransport transport;
    private co.elastic.clients.elasticsearch.ElasticsearchClient client;
    private BulkIngester<Void> ingester;
    private final Answers answers = new Answers();

    @Setup
    public void open() throws IOException {
        endpoint = new BulkEndpoint(records);
        delivered = Readings.records(records);
        progress = Readings.progress();
        target = new ElasticsearchTargetType()
                .open(Map.of("connection.url", endpoint.url(), "key.ignore", "true", "batch.size", "5000"));
        mapper = target.mapper();
        writer = target.openWriter(0);
        RestClient rest = RestClient.builder(HttpHost.create(endpoint.url())).build();
        transport = new RestClientTransport(
                rest,
                new JacksonJsonpMapper(),
                null, // default options
                NoopInstrumentation.INSTANCE);
        client = new co.elastic.clients.elasticsearch.ElasticsearchClient(transport);
        ingester = BulkIngester.of(ingest ->
                ingest.client(client).maxOperations(records).maxSize(-1).listener(answers));
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        ingester.close();
        transport.close();
        writer.close();
        target.close();
        endpoint.close();
    }

    @Benchmark
    public Object tidegate() throws WriteException {
        List<Document> documents = new ArrayList<>(records);
        for (SinkRecord record : delivered) {
            documents.add(mapper.map(record, progress).orElseThrow());
        }
        return writer.write(documents);
    }

    @Benchmark
    public Object typedBulk() throws IOException {
        List<BulkOperation> operations = new ArrayList<>(records);
        for (SinkRecord record : delivered) {
            operations.add(operation(record));
        }
        return client.bulk(BulkRequest.of(request -> request.operations(operations)));
    }

    @Benchmark
    public void bulkIngester() throws InterruptedException {
        for (SinkRecord record : delivered) {
            ingester.add(operation(record));
        }
        answers.await();
    }

    private static BulkOperation operation(SinkRecord record) {
        String id = record.topic() + "+" + record.kafkaPartition() + "+" + record.kafkaOffset();
        BinaryData json = BinaryData.of((byte[]) record.value(), ContentType.APPLICATION_JSON);
        return BulkOperation.of(operation ->
                operation.index(index -> index.index(record.topic()).id(id).document(json)));
    }

    /** Lets the benchmark wait until its request is answered. */
    private static final class Answers implements BulkListener<Void> {
        private final Semaphore answered = new Semaphore(0);
        private volatile Throwable failure; // the ingester's thread writes it

        void await() throws InterruptedException {
            answered.acquire();
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public void beforeBulk(long executionId, BulkRequest request, List<Void> contexts) {
            // Nothing to prepare.
        }

        @Override
        public void afterBulk(long executionId, BulkRequest request, List<Void> contexts, BulkResponse response) {
            answered.release();
        }

        @Override
        public void afterBulk(long executionId, BulkRequest request, List<Void> contexts, Throwable thrown) {
            failure = thrown;
            answered.release();
        }
    }
}
