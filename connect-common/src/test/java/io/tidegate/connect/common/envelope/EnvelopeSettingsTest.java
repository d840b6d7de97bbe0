package io.tidegate.connect.common.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnvelopeSettingsTest {
    private static String placeholder(String setting) {
        ConfigDef definition = EnvelopeSettings.define(new ConfigDef());
        return EnvelopeSettings.from(new AbstractConfig(definition, Map.of(EnvelopeSettings.PLACEHOLDER, setting)))
                .placeholder();
    }

    @Test
    void aPlaceholderMayBeHexadecimalAsDebeziumsIs() {
        assertThat(placeholder("hex:4e2f41c3a4")).isEqualTo("N/Aä");
        assertThat(placeholder("__hex:")).isEqualTo("__hex:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hex:", "hex:4", "hex:xy", "hex:ff"})
    void otherOctetsAreNoPlaceholder(String setting) {
        assertThatThrownBy(() -> placeholder(setting))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(EnvelopeSettings.PLACEHOLDER);
    }
}
