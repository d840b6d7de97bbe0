package io.tidegate.connect.bench.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** A subcommand of {@code ./bench scenario} with its options. A new one needs a class and a line in {@link #all}. */
public interface Scenario extends Callable<Integer> {
    /**
     * All scenarios.
     *
     * @param root the folder of the checkout
     */
    static List<Scenario> all(Path root) {
        return List.of(
                new BackfillScenario(root),
                new FaultsScenario(root));
    }
}
