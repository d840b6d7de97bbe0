package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.scenarios.Store;
import io.tidegate.connect.testkit.scenarios.UpgradeScenarios;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tables, offsets and connectors of an earlier build: see {@code ./upgrade-test}. */
@EnabledIfSystemProperty(named = UpgradeScenarios.EARLIER, matches = ".+")
final class UpgradeIT extends UpgradeScenarios {
    private final PostgresStore store = new PostgresStore(servers().postgres());

    UpgradeIT() {
        super("connect-jsonb-sink");
    }

    @Override
    protected Store store() {
        return store;
    }

    /** The earlier build creates the table of the offsets. */
    @Test
    void theTableOfTheOffsetsGoesOnAfterAnUpgradeAndARollBack() {
        goesOnAfterAnUpgradeAndARollBack(Map.of(
                "delivery.guarantee",
                "exactly_once",
                "auto.create",
                "true",
                "pk.mode",
                "none",
                "insert.mode",
                "insert"));
    }
}
