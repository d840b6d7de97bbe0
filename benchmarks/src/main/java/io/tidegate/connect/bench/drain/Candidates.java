package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import java.nio.file.Path;
import java.util.List;

/** Makes the candidates of a measurement, which share servers, topic and result folder. */
record Candidates(TestBed bed, Topic topic, FailureDiagnostics diagnostics) {
    /** A copy for another topic. */
    Candidates on(Topic other) {
        return new Candidates(bed, other, diagnostics);
    }

    /** A connector on a worker that has only these plugins. */
    Candidate connector(List<Path> plugins, ConnectorSpec spec, int tasks) {
        return new ConnectorCandidate(this, plugins, spec, tasks);
    }

    /** A raw client. */
    Candidate raw(MeasuredStore store, ConnectorSpec spec, RawWriter writer, int connections) {
        return new RawCandidate(this, store, spec, writer, connections);
    }
}
