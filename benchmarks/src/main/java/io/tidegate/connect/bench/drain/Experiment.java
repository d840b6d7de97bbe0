package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.tools.ToolException;
import java.util.List;
import java.util.Map;

/** What is measured on a {@link TestBed}, and what follows from it. The main thread only. */
public interface Experiment extends AutoCloseable {
    /** As it is typed: the subcommand, and its argument if it has one. */
    String name();

    /** Of the broker, beside its own. */
    default Map<String, String> brokerProperties() {
        return Map.of();
    }

    /** Before the servers start. */
    default void prepare(TestBed bed) throws ToolException {}

    /**
     * Who takes turns, in this order. The servers run.
     *
     * @param topic filled
     */
    List<Candidate> contestants(TestBed bed, Topic topic) throws ToolException, InterruptedException;

    /**
     * Sentences for those who ask what to do.
     *
     * @param results of all rounds
     */
    default List<String> findings(Results results) {
        return List.of();
    }

    /** When the servers are closed. */
    @Override
    default void close() {}
}
