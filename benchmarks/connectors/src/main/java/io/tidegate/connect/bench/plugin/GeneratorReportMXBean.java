package io.tidegate.connect.bench.plugin;

/** What a task of the generator has really done; {@code tidegate.bench:type=generator,connector=NAME,task=N}. Any thread. */
public interface GeneratorReportMXBean {
    /** Records handed to Connect since the task started. */
    long getSent();

    /** Records that the broker has taken. */
    long getAccepted();

    /** For each phase, by how many microseconds the latest record of it was late when it was handed over. */
    long[] getLatestMicros();

    /** Whether all records are sent and the broker has taken them. */
    boolean isDone();
}
