package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.scenarios.Store;
import io.tidegate.connect.testkit.scenarios.UpgradeScenarios;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Indexes, offsets and connectors of an earlier build: see {@code ./upgrade-test}. */
@EnabledIfSystemProperty(named = UpgradeScenarios.EARLIER, matches = ".+")
final class UpgradeIT extends UpgradeScenarios {
    private final ElasticsearchStore store = new ElasticsearchStore(servers().elasticsearch());

    UpgradeIT() {
        super("connect-es-bulk-sink");
    }

    @Override
    protected Store store() {
        return store;
    }
}
