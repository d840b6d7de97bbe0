package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares connectors, floor and ceiling, each with every number of tasks.
 *
 * @param root the folder of the checkout
 * @param floor whether to include a sink that does nothing
 * @param ceiling whether to include a bare client
 */
public record SinkComparison(Path root, DrainPlan plan, boolean floor, boolean ceiling) implements Experiment {
    @Override
    public List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException {
        List<Candidate> all = new ArrayList<>();
        for (int tasks : plan.tasks()) {
            plan.specs().forEach(spec -> all.add(make.connector(spec, tasks)));
        }
        if (floor) {
            ConnectorSpec noOp = OwnPlugin.noOpSink(root);
            plan.tasks().forEach(tasks -> all.add(make.connector(noOp, tasks)));
        }
        if (ceiling) {
            List<byte[]> values = Values.of(plan.source(), make.topic());
            for (MeasuredStore store : make.bed().stores()) {
                RawWriter writer = store.rawWriter().apply(values);
                String index = indexDefinition(store.kind());
                plan.tasks().forEach(tasks -> all.add(make.raw(store, index, writer, tasks)));
            }
        }
        return all;
    }

    /** The index definition of the first connector for this store. */
    private String indexDefinition(StoreKind kind) {
        return plan.specs().stream()
                .filter(spec -> spec.store() == kind)
                .findFirst()
                .map(ConnectorSpec::indexDefinition)
                .orElse("");
    }
}
