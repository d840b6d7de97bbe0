package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.override.ErrorOverride;
import io.tidegate.connect.common.override.ErrorOverrides;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqlStateCodesTest {
    private static ErrorOverrides overrides(String setting) {
        return SqlStateCodes.from(new AbstractConfig(
                SqlStateCodes.define(new ConfigDef()), Map.of(ErrorOverrides.ERROR_OVERRIDES, setting)));
    }

    @Test
    void takesStatesAndClasses() {
        assertThat(overrides("23503:retry:10m, 42p01:refuse, 22*:fail, 0A:refuse, XX000:refuse, 08:fail")
                        .all())
                .map(ErrorOverride::code)
                .containsExactly("23503", "42P01", "22", "0A", "XX000", "08");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2350", "235035", "2", "23505*", "unique", "*", "23-03"})
    void rejectsWhatIsNoState(String code) {
        assertThatThrownBy(() -> overrides(code + ":fail"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'" + code + "' is no SQLSTATE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "08", "57P01", "57014", "25006", "53300", "28P01", "28", "40001", "55P03", "XX", "XX001"
            })
    void refusesNoRecordForAFaultOfTheServer(String code) {
        assertThatThrownBy(() -> overrides(code + ":refuse")).isInstanceOf(ConfigException.class);
    }

    @Test
    void saysWhyARecordMayNotBeRefused() {
        assertThatThrownBy(() -> overrides("28:refuse"))
                .hasMessageContaining(
                        "'28:refuse': the error says that the server does not accept the user, which is no"
                                + " fault of a record: every record would go to the dead letter queue; use retry or fail");
    }

    @Test
    void aClassMayNotBeWrittenTwice() {
        assertThatThrownBy(() -> overrides("23:fail, 23*:refuse")).hasMessageContaining("23 is there twice");
    }
}
