package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.lab.tides.ChangeEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Maps change events of Debezium, and the same rows without events, to documents. Nanoseconds per record. */
public abstract class ChangeEventBenchmark extends MicroBenchmark {
    private static final int RECORDS = 1_000;

    @Param
    public Form content;

    private final List<SinkRecord> delivered = new ArrayList<>(RECORDS);
    private Progress progress;
    private Target target;
    private DocumentMapper mapper;

    /** What a record contains. */
    public enum Form {
        /** The row, with the text of its id as the key. */
        ROW,
        /** An event of about 900 bytes around the row. */
        EVENT,
        /** The same event, with its schema around it. */
        EVENT_WITH_SCHEMA
    }

    /** The target of the sink, which connects to no server, with these settings beside those for keys. */
    protected abstract Target target(Map<String, String> settings);

    @Setup
    public void open() {
        List<byte[]> rows = Readings.values(RECORDS);
        ChangeEvents events =
                content == Form.EVENT_WITH_SCHEMA ? ChangeEvents.withSchema(rows.get(0)) : ChangeEvents.withoutSchema();
        for (byte[] row : rows) {
            delivered.add(record(delivered.size(), row, events));
        }
        progress = Readings.progress();
        target = target(new HashMap<>(content == Form.ROW ? Map.of() : Map.of("value.envelope", "debezium")));
        mapper = target.mapper();
    }

    private SinkRecord record(int id, byte[] row, ChangeEvents events) {
        String key = content == Form.ROW ? Integer.toString(id) : "{\"id\":" + id + "}";
        byte[] value = content == Form.ROW ? row : events.of(row);
        return new SinkRecord(Readings.TOPIC, 0, null, key.getBytes(UTF_8), null, value, id);
    }

    @TearDown
    public void close() {
        target.close();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void map(Blackhole documents) {
        for (SinkRecord record : delivered) {
            documents.consume(mapper.map(record, progress));
        }
    }
}
