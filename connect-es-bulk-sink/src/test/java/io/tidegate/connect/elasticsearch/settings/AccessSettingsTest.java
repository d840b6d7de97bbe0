package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AccessSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of())).isEqualTo(new AccessSettings(Duration.ofMinutes(15)));
    }

    @Test
    void allKeys() {
        assertThat(settings(Map.of("unauthorized.retry.ms", "0"))).isEqualTo(new AccessSettings(Duration.ZERO));
    }

    private static AccessSettings settings(Map<String, String> props) {
        return AccessSettings.from(Parsed.config(AccessSettings::define, props));
    }
}
