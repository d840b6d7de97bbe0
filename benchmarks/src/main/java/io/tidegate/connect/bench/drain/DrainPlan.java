package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.tools.tides.TideSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What to drain, and how often.
 *
 * @param input what the records are, for people
 * @param resume whether the runs that the result folder holds of the same measurement need not be done again
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
        boolean resume) {

    Set<StoreKind> stores() {
        Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
        specs.forEach(spec -> kinds.add(spec.store()));
        return kinds;
    }
}
