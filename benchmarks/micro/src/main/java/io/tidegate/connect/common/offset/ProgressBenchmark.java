package io.tidegate.connect.common.offset;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The cost of tracking offsets: accept a batch record by record, acknowledge it, and ask for the first pending one. */
public class ProgressBenchmark extends MicroBenchmark {
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
