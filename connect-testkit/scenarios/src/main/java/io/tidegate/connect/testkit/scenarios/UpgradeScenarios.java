package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What an earlier build of the project has created and written goes on with this one, and after a roll-back with the
 * earlier one. {@code ./upgrade-test} makes that build and names its folder in {@value #EARLIER}.
 */
public abstract class UpgradeScenarios extends SinkHarness {
    /** The system property with the project's folder of the earlier build. */
    public static final String EARLIER = "tidegate.earlier";

    private final String module;

    /** @param module the name of the sink's module, which is also that of its folder */
    protected UpgradeScenarios(String module) {
        this.module = Objects.requireNonNull(module, "module");
    }

    @Override
    protected final Path pluginPath() {
        return Path.of(System.getProperty(EARLIER), module, "target", "plugin");
    }

    @Test
    void aConnectorGoesOnAfterAnUpgradeAndARollBack() {
        goesOnAfterAnUpgradeAndARollBack(Map.of());
    }

    /** Records are also sent while no worker runs. */
    protected final void goesOnAfterAnUpgradeAndARollBack(Map<String, String> settings) {
        startSink(2, settings);
        records().send(topic(), 0, 2_000);
        awaitStored(0, 2_000);

        worker().close();
        records().send(topic(), 2_000, 4_000);
        startWorker(Path.of("target", "plugin"));
        rest().awaitRunning(topic(), 2, SOON);
        awaitStored(0, 4_000);
        assertThat(rest().get(topic()).config()).containsAllEntriesOf(settings);

        worker().close();
        records().send(topic(), 4_000, 6_000);
        startWorker(pluginPath());
        rest().awaitRunning(topic(), 2, SOON);
        awaitStored(0, 6_000);
        assertNoTaskFailed();
    }
}
