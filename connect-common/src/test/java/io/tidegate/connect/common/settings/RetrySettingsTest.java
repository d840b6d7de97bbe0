package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class RetrySettingsTest {
    private static RetrySettings settings(Map<String, String> props) {
        return RetrySettings.from(new AbstractConfig(RetrySettings.define(new ConfigDef()), props, false));
    }

    private static void assertRefused(String key, String value, String reason) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value " + value + " for configuration " + key + ": " + reason);
    }

    @Test
    void hasDefaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(new RetrySettings(
                        RetrySettings.UNLIMITED, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ZERO));
    }

    @Test
    void mapsEveryKey() {
        assertThat(settings(Map.of(
                        "max.retries", "5",
                        "retry.backoff.ms", "1",
                        "retry.backoff.max.ms", "2",
                        "retry.timeout.ms", "3")))
                .isEqualTo(new RetrySettings(5, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3)));
    }

    @Test
    void refusesBadValues() {
        assertRefused("max.retries", "-2", "Value must be at least -1");
        assertRefused("retry.backoff.ms", "0", "Value must be at least 1");
        assertRefused("retry.backoff.max.ms", "600001", "Value must be no more than 600000");
        assertRefused("retry.timeout.ms", "-1", "Value must be at least 0");
    }
}
