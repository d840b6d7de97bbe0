package io.tidegate.connect.common.offset;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What keeping offsets costs: a batch accepted record by record, acknowledged once, and a look at what may be committed. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class ProgressBenchmark {
    @Param({"1", "5000"})
    public int records;

    /** Lanes that share the partition. */
    @Param({"1", "5"})
    public int lanes;

    private Progress progress;
    private long offset;

    @Setup
    public void assign() {
        progress = new Progress(new TopicPartition("tides", 0), lanes);
        offset = 0;
    }

    @Benchmark
    public OptionalLong acceptAndAcknowledge() {
        for (int i = 0; i < records; i++) {
            progress.accept(i % lanes, ++offset);
        }
        for (int lane = 0; lane < lanes; lane++) {
            progress.acknowledge(lane, offset);
        }
        return progress.firstPending();
    }
}
