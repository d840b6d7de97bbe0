package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.cli.ToolException;
import java.util.List;

/** Defines the candidates, the preparation of the servers, and the findings. Only the main thread uses it. */
public interface Experiment extends AutoCloseable {
    /** Called before the servers start. */
    default void prepare(TestBed bed) throws ToolException {}

    /** Makes the candidates, in the order of their turns. The servers run, and the topic is filled. */
    List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException;

    /**
     * The conclusions for the user, as sentences.
     *
     * @param results the results of all rounds
     */
    default List<String> findings(Results results) {
        return List.of();
    }

    /** Called after the servers are closed. */
    @Override
    default void close() {}
}
