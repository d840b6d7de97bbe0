package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.ValidationSettings.ServerQuestion;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class ValidationSettingsTest {
    private static ValidationSettings parse(Map<String, String> props) {
        return ValidationSettings.from(new AbstractConfig(ValidationSettings.define(new ConfigDef()), props, false));
    }

    @Test
    void hasDefaults() {
        assertThat(parse(Map.of())).isEqualTo(new ValidationSettings(ServerQuestion.ALWAYS));
    }

    @Test
    void takesEverySetting() {
        assertThat(parse(Map.of("validate.server", "if_reachable")))
                .isEqualTo(new ValidationSettings(ServerQuestion.IF_REACHABLE));
        assertThat(parse(Map.of("validate.server", "never"))).isEqualTo(new ValidationSettings(ServerQuestion.NEVER));
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> parse(Map.of("validate.server", "true")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value true for configuration validate.server: String must be one of: always,"
                        + " if_reachable, never");
    }
}
