package io.tidegate.connect.common.lane;

import io.tidegate.connect.bench.micro.ConvertedValue;
import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Makes a batch of queued documents: all in order of arrival, or only the last write of each key. */
public class BatchBenchmark extends MicroBenchmark {
    private static final int WRITES_PER_KEY = 10;

    @Param({"1", "100", "5000"})
    public int records;

    private List<Document> distinct;
    private List<Document> repeated;

    @Setup
    public void fill() {
        distinct = documents(records);
        repeated = documents(Math.max(1, records / WRITES_PER_KEY));
    }

    private List<Document> documents(int distinctKeys) {
        Progress progress = Readings.progress();
        return Readings.records(records, ConvertedValue.BYTES, distinctKeys).stream()
                .map(record -> Document.write(
                        record, progress, record.topic(), (byte[]) record.key(), (byte[]) record.value()))
                .toList();
    }

    @Benchmark
    public Object inOrder() {
        return Batch.of(distinct, false);
    }

    @Benchmark
    public Object lastWriteOfDistinctKeys() {
        return Batch.of(distinct, true);
    }

    /** Ten writes for each key. */
    @Benchmark
    public Object lastWriteOfRepeatedKeys() {
        return Batch.of(repeated, true);
    }
}
