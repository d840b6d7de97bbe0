package io.tidegate.connect.bench.plugin;

/** The counts of a generator task: {@code tidegate.bench:type=generator,connector=NAME,task=N}. Thread-safe. */
public interface GeneratorReportMXBean {
    /** Records handed to Connect since the task started. */
    long getSent();

    /** Records that the broker has acknowledged. */
    long getAccepted();

    /** For each phase, the largest delay with which a record was handed over, in microseconds. */
    long[] getLatestMicros();

    /** Whether all records are sent and acknowledged. */
    boolean isDone();
}
