package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.tools.tides.TideSource;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What to measure.
 *
 * @param input what the records are, for people
 * @param resume whether the runs that {@code out} holds of the same measurement need not be done again
 * @param command what to type to measure it again
 */
public record DrainPlan(
        List<ConnectorSpec> subjects,
        List<Integer> tasks,
        int partitions,
        long records,
        TideSource source,
        String input,
        int warmUps,
        int runs,
        boolean floor,
        boolean ceiling,
        String workerHeap,
        Path out,
        boolean resume,
        String command) {

    Set<StoreKind> stores() {
        Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
        subjects.forEach(subject -> kinds.add(subject.store()));
        return kinds;
    }
}
