package io.tidegate.connect.bench.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** A subcommand of {@code ./bench scenario} with its options. A new one is a class and a line of {@link #all}. */
public interface Scenario extends Callable<Integer> {
    /**
     * Every scenario.
     *
     * @param root of the checkout
     */
    static List<Scenario> all(Path root) {
        return List.of(
                new RaceScenario(root),
                new PlacementScenario(root),
                new ReplayScenario(root),
                new ConnectionsScenario(root),
                new PoolerScenario(root),
                new FaultsScenario(root));
    }
}
