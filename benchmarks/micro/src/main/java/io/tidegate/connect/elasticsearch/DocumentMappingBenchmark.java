package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.bench.micro.ValueForm;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Records become documents, as the task thread makes them: index, id of coordinates, JSON. */
public class DocumentMappingBenchmark extends MicroBenchmark {
    @Param
    public ValueForm form;

    @Param("1000")
    public int records;

    private List<SinkRecord> delivered;
    private Progress progress;
    private Target target;
    private DocumentMapper mapper;

    @Setup
    public void open() {
        delivered = Readings.records(records, form, records);
        progress = Readings.progress();
        target = new ElasticsearchTargetType()
                .open(Map.of("connection.url", "http://127.0.0.1:9200", "key.ignore", "true"));
        mapper = target.mapper();
    }

    @TearDown
    public void close() {
        target.close();
    }

    @Benchmark
    public void map(Blackhole documents) {
        for (SinkRecord record : delivered) {
            documents.consume(mapper.map(record, progress));
        }
    }
}
