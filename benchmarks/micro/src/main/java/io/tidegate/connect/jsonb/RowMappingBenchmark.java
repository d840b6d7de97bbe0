package io.tidegate.connect.jsonb;

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

/** Records become rows, as the task thread makes them: table, key, JSON looked through for what PostgreSQL does not take. */
public class RowMappingBenchmark extends MicroBenchmark {
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
        target = new PostgresTargetType().open(Map.of("connection.url", "jdbc:postgresql://127.0.0.1/postgres"));
        mapper = target.mapper();
    }

    @TearDown
    public void close() {
        target.close();
    }

    @Benchmark
    public void map(Blackhole rows) {
        for (SinkRecord record : delivered) {
            rows.consume(mapper.map(record, progress));
        }
    }
}
