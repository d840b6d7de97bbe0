package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.cli.ToolException;

/** A candidate of a comparison. Candidates are measured in turns. */
interface Candidate {
    CandidateInfo entrant();

    /**
     * Measures one run, from an empty store until it holds all records. A failed run contains the reason.
     *
     * @param round 0 or less for a warm-up
     * @throws ToolException if the measurement itself cannot continue
     */
    Run run(int round) throws ToolException, InterruptedException;
}
