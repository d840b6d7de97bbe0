package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class LaneSettingsTest {
    private static LaneSettings settings(Map<String, String> props) {
        ConfigDef def = LaneSettings.define(new ConfigDef(), new LaneSettings.Defaults(500, 1 << 20, 2));
        return LaneSettings.from(new AbstractConfig(def, props, false));
    }

    private static void assertRefused(String key, String value, String reason) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value " + value + " for configuration " + key + ": " + reason);
    }

    @Test
    void hasDefaults() {
        assertThat(settings(Map.of())).isEqualTo(new LaneSettings(500, 1 << 20, Duration.ZERO, 2, Ordering.PARTITION));
    }

    @Test
    void mapsEveryKey() {
        assertThat(settings(Map.of(
                        "batch.size", "7",
                        "batch.max.bytes", "2048",
                        "linger.ms", "20",
                        "max.in.flight.requests", "4",
                        "ordering", "None")))
                .isEqualTo(new LaneSettings(7, 2_048, Duration.ofMillis(20), 4, Ordering.NONE));
    }

    @Test
    void refusesBadValues() {
        assertRefused("batch.size", "0", "Value must be at least 1");
        assertRefused("batch.size", "100001", "Value must be no more than 100000");
        assertRefused("batch.size", "many", "Not a number of type INT");
        assertRefused("batch.max.bytes", "1023", "Value must be at least 1024");
        assertRefused("linger.ms", "-1", "Value must be at least 0");
        assertRefused("max.in.flight.requests", "65", "Value must be no more than 64");
        assertRefused("ordering", "keys", "String must be one of: partition, key, none");
    }
}
