package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.lab.tides.TideSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What to drain, and how often.
 *
 * @param input the description of the records in the results
 * @param resume whether runs of the same measurement in the result folder are kept instead of repeated
 */
public record DrainPlan(
        List<ConnectorSpec> specs,
        List<Integer> tasks,
        int partitions,
        long records,
        TideSource source,
        String input,
        int warmUps,
        int runs,
        String workerHeap,
        int workers,
        boolean resume) {

    Set<StoreKind> stores() {
        Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
        specs.forEach(spec -> kinds.add(spec.store()));
        return kinds;
    }
}
