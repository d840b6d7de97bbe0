package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.kafka.PluginPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link ValueScenarios}, and checks of the plugin that do not depend on its settings. */
public abstract class PluginScenarios extends ValueScenarios {
    protected PluginScenarios() {}

    @Test
    @Tag("smoke")
    void theWorkerFindsThePluginAndItsVersion() {
        String connector = store().sinkConfig().get("connector.class");

        assertThat(rest().plugins())
                .filteredOn(plugin -> plugin.className().equals(connector))
                .singleElement()
                .satisfies(plugin -> assertThat(plugin.type()).isEqualTo("sink"))
                .satisfies(plugin -> assertThat(plugin.version().orElseThrow()).matches("\\d+\\.\\d+\\.\\d+.*"));
    }

    @Test
    @Tag("smoke")
    void kafkasOwnToolFindsThePluginByItsManifest() {
        String connector = store().sinkConfig().get("connector.class");

        assertThat(PluginPath.list(pluginPath()))
                .filteredOn(line -> line.startsWith(connector))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("sink\ttrue\ttrue"));
    }
}
