package io.tidegate.connect.bench.sink;

import io.tidegate.connect.tools.ToolException;
import java.util.ArrayList;
import java.util.List;

/** Makes the contestants of a plan, in the order of their turns: subjects, floor, ceilings; each with every number of tasks. */
final class Contestants implements Scenario {
    private final SinkPlan plan;

    Contestants(SinkPlan plan) {
        this.plan = plan;
    }

    @Override
    public String name() {
        return "sink";
    }

    @Override
    public List<Contestant> contestants(Bed bed, Topic topic) throws ToolException, InterruptedException {
        List<Contestant> all = new ArrayList<>();
        Evidence evidence = new Evidence(plan.out());
        for (int tasks : plan.tasks()) {
            for (Subject subject : plan.subjects()) {
                all.add(new ConnectorContestant(bed, topic, subject, tasks, evidence));
            }
        }
        if (plan.floor()) {
            Subject floor = OwnPlugin.noOpSink();
            plan.tasks().forEach(tasks -> all.add(new ConnectorContestant(bed, topic, floor, tasks, evidence)));
        }
        if (plan.ceiling()) {
            List<byte[]> values = Values.of(plan.source(), topic);
            for (MeasuredStore store : bed.stores()) {
                RawWriter writer = store.rawWriter().apply(values);
                String index = indexDefinition(store.kind());
                plan.tasks().forEach(tasks -> all.add(new RawContestant(bed, topic, store, index, writer, tasks)));
            }
        }
        return all;
    }

    /** That of the first subject; the table is the plainest. */
    private String indexDefinition(StoreKind kind) {
        return plan.subjects().stream()
                .filter(subject -> subject.store() == kind)
                .findFirst()
                .map(Subject::indexDefinition)
                .orElse("");
    }
}
