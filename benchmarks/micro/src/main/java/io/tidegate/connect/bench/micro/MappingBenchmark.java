package io.tidegate.connect.bench.micro;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Maps records to documents, as the task thread of a sink does. */
public abstract class MappingBenchmark extends MicroBenchmark {
    @Param
    public ConvertedValue form;

    @Param("1000")
    public int records;

    private List<SinkRecord> delivered;
    private Progress progress;
    private Target target;
    private DocumentMapper mapper;

    /** The target of the sink, which connects to no server. */
    protected abstract Target target();

    @Setup
    public void open() {
        delivered = Readings.records(records, form, records);
        progress = Readings.progress();
        target = target();
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
