package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.tools.ToolException;
import java.util.List;
import java.util.Map;

/** Who drains the topic, on servers prepared how, and what follows from it. The main thread only. */
public interface Experiment extends AutoCloseable {
    /** Settings of the broker, beside its own. */
    default Map<String, String> brokerProperties() throws ToolException {
        return Map.of();
    }

    /** Called before the servers start. */
    default void prepare(TestBed bed) throws ToolException {}

    /** The candidates, in the order of their turns. The servers run, and the topic is filled. */
    List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException;

    /**
     * Sentences for those who ask what to do.
     *
     * @param results of all rounds
     */
    default List<String> findings(Results results) {
        return List.of();
    }

    /** Called when the servers are closed. */
    @Override
    default void close() {}
}
