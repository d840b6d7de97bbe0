package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;

/** What the candidates of a measurement share. */
record Candidates(TestBed bed, Topic topic, FailureDiagnostics diagnostics) {
    /** A copy for another topic. */
    Candidates on(Topic other) {
        return new Candidates(bed, other, diagnostics);
    }
}
