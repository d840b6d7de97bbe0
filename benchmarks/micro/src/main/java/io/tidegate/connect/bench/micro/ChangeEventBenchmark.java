package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import java.util.ArrayList;
import java.util.Collections;
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
        for (int i = 0; i < RECORDS; i++) {
            delivered.add(record(i));
        }
        progress = Readings.progress();
        target = target(new HashMap<>(content == Form.ROW ? Map.of() : Map.of("value.envelope", "debezium")));
        mapper = target.mapper();
    }

    private SinkRecord record(int id) {
        String row = new Reading(id).json();
        String key = content == Form.ROW ? Integer.toString(id) : "{\"id\":" + id + "}";
        String value =
                switch (content) {
                    case ROW -> row;
                    case EVENT -> event(id, row);
                    case EVENT_WITH_SCHEMA -> "{\"schema\":" + schema() + ",\"payload\":" + event(id, row) + "}";
                };
        return new SinkRecord(Readings.TOPIC, 0, null, key.getBytes(UTF_8), null, value.getBytes(UTF_8), id);
    }

    /** As Debezium 3.6 writes an update of a row with {@code REPLICA IDENTITY FULL}. */
    private static String event(int id, String row) {
        long lsn = 24_023_200L + 56L * id;
        return "{\"before\":" + row + ",\"after\":" + row + ",\"source\":{\"version\":\"3.6.0.Final\",\"connector\":"
                + "\"postgresql\",\"name\":\"shop\",\"ts_ms\":1767225600000,\"snapshot\":\"false\",\"db\":\"shop\","
                + "\"sequence\":\"[\\\"24023128\\\",\\\"" + lsn + "\\\"]\",\"ts_us\":1767225600000123,"
                + "\"ts_ns\":1767225600000123000,\"schema\":\"public\",\"table\":\"readings\",\"txId\":" + (771 + id)
                + ",\"lsn\":" + lsn + ",\"xmin\":null},\"transaction\":null,\"op\":\"u\",\"ts_ms\":1767225600001,"
                + "\"ts_us\":1767225600001000,\"ts_ns\":1767225600001000000}";
    }

    /** About as long as the schema of an event with ten columns. */
    private static String schema() {
        String column = "{\"type\":\"string\",\"optional\":true,\"field\":\"column\"}";
        String columns = String.join(",", Collections.nCopies(10, column));
        String part = "{\"type\":\"struct\",\"fields\":[" + columns
                + "],\"optional\":true,\"name\":\"shop.public.readings.Value\",\"field\":\"";
        return "{\"type\":\"struct\",\"fields\":[" + part + "before\"}," + part + "after\"}," + part
                + "source\"}],\"optional\":false,\"name\":\"shop.public.readings.Envelope\",\"version\":2}";
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
