package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class TaskSettingsTest {
    private static TaskSettings settings(Map<String, String> props) {
        return TaskSettings.from(new AbstractConfig(TaskSettings.define(new ConfigDef()), props, false));
    }

    private static void assertRefused(String key, String value, String reason) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value " + value + " for configuration " + key + ": " + reason);
    }

    @Test
    void hasDefaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(
                        new TaskSettings("unnamed-0", 16 << 20, Duration.ofSeconds(2), Duration.ofSeconds(2), false));
    }

    @Test
    void mapsEveryKey() {
        assertThat(settings(Map.of(
                        "name", "tides",
                        "tidegate.task.number", "3",
                        "buffer.max.bytes", "2000000",
                        "commit.drain.ms", "0",
                        "close.timeout.ms", "7",
                        "errors.tolerance", "all")))
                .isEqualTo(new TaskSettings("tides-3", 2_000_000, Duration.ZERO, Duration.ofMillis(7), true));
    }

    @Test
    void refusesBadValues() {
        assertRefused("buffer.max.bytes", "1000", "Value must be at least 1048576");
        assertRefused("commit.drain.ms", "60001", "Value must be no more than 60000");
        assertRefused("close.timeout.ms", "-1", "Value must be at least 0");
    }
}
