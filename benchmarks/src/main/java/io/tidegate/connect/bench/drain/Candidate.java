package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.tools.ToolException;

/** One of the things that are measured in turn. */
public interface Candidate {
    CandidateInfo entrant();

    /**
     * Measures once, from an empty store to a full one. What goes wrong with the contestant is the outcome of its run.
     *
     * @param round 0 for the warm-up
     * @throws ToolException when the measurement itself cannot go on
     */
    Run run(int round) throws ToolException, InterruptedException;
}
