package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.tools.ToolException;
import java.util.ArrayList;
import java.util.List;

/** Makes the contestants of a plan, in the order of their turns: subjects, floor, ceilings; each with every number of tasks. */
public final class SinkComparison implements Experiment {
    private final DrainPlan plan;

    public SinkComparison(DrainPlan plan) {
        this.plan = plan;
    }

    @Override
    public String name() {
        return "sink";
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) throws ToolException, InterruptedException {
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        for (int tasks : plan.tasks()) {
            for (ConnectorSpec subject : plan.subjects()) {
                all.add(new ConnectorCandidate(bed, topic, subject, tasks, evidence));
            }
        }
        if (plan.floor()) {
            ConnectorSpec floor = OwnPlugin.noOpSink();
            plan.tasks().forEach(tasks -> all.add(new ConnectorCandidate(bed, topic, floor, tasks, evidence)));
        }
        if (plan.ceiling()) {
            List<byte[]> values = Values.of(plan.source(), topic);
            for (MeasuredStore store : bed.stores()) {
                RawWriter writer = store.rawWriter().apply(values);
                String index = indexDefinition(store.kind());
                plan.tasks().forEach(tasks -> all.add(new RawCandidate(bed, topic, store, index, writer, tasks)));
            }
        }
        return all;
    }

    /** That of the first subject; the table is the plainest. */
    private String indexDefinition(StoreKind kind) {
        return plan.subjects().stream()
                .filter(subject -> subject.store() == kind)
                .findFirst()
                .map(ConnectorSpec::indexDefinition)
                .orElse("");
    }
}
