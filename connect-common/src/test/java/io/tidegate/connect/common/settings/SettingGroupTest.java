package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingGroupTest {
    /** An enumeration with a constant of two words. */
    private enum Tide {
        HIGH,
        LOW,
        SPRING_TIDE
    }

    private static ConfigDef def() {
        ConfigDef def = new ConfigDef();
        new SettingGroup(def, "Tides")
                .integer("depth", "Depth of the water", 3)
                .between(1, 10)
                .medium("In metres.")
                .flag("dry", "Dry", false)
                .low("Whether the harbour falls dry.")
                .oneOf("tide", "Tide", Tide.HIGH)
                .high("Which tide it is.");
        return new SettingGroup(def, "Ships")
                .text("ship", "Ship", "")
                .parsedBy("a name", SettingGroupTest::checkName)
                .low("A ship.")
                .list("crew", "Crew")
                .eachParsedBy("names", SettingGroupTest::checkName)
                .low("Its crew.")
                .secret("password", "Password")
                .low("Its password.")
                .oneOf("leaves", "Leaves", Tide.HIGH, List.of(Tide.HIGH, Tide.SPRING_TIDE))
                .low("When it leaves.")
                .configDef();
    }

    private static void checkName(String name) {
        if (name.startsWith("-")) {
            throw new IllegalArgumentException("a name does not start with `-`");
        }
    }

    private static AbstractConfig config(Map<String, String> props) {
        return new AbstractConfig(def(), props, false);
    }

    private static Map<String, ConfigValue> validated(Map<String, String> props) {
        return def().validate(props).stream().collect(Collectors.toMap(ConfigValue::name, Function.identity()));
    }

    @Test
    void numbersTheSettingsOfAGroup() {
        ConfigDef def = def();
        new SettingGroup(def, "Tides").millis("lag", "Lag", 7).atLeast(0).low("How late it is.");

        assertThat(def.groups()).containsExactly("Tides", "Ships");
        assertThat(def.configKeys().values())
                .extracting(key -> key.group + " " + key.orderInGroup + " " + key.name)
                .containsExactly(
                        "Tides 1 depth",
                        "Tides 2 dry",
                        "Tides 3 tide",
                        "Ships 1 ship",
                        "Ships 2 crew",
                        "Ships 3 password",
                        "Ships 4 leaves",
                        "Tides 4 lag");
    }

    @Test
    void handsOnWhatASettingIs() {
        ConfigKey depth = def().configKeys().get("depth");

        assertThat(depth.type).isEqualTo(Type.INT);
        assertThat(depth.defaultValue).isEqualTo(3);
        assertThat(depth.displayName).isEqualTo("Depth of the water");
        assertThat(depth.importance).isEqualTo(Importance.MEDIUM);
        assertThat(depth.documentation).isEqualTo("In metres.");
        assertThat(depth.width).isEqualTo(Width.SHORT);
        assertThat(def().configKeys().get("password").width).isEqualTo(Width.SHORT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring_tide", "SPRING_TIDE", "Spring_Tide"})
    void readsAnEnumerationInAnyCase(String text) {
        assertThat(EnumSetting.read(config(Map.of("tide", text)), "tide", Tide.class))
                .isEqualTo(Tide.SPRING_TIDE);
    }

    @Test
    void documentsAnEnumerationInLowerCase() {
        ConfigKey tide = def().configKeys().get("tide");

        assertThat(tide.validator).hasToString("[high, low, spring_tide]");
        assertThat(tide.defaultValue).isEqualTo("high");
        assertThat(EnumSetting.text(Tide.SPRING_TIDE)).isEqualTo("spring_tide");
    }

    @Test
    void recommendsTheValuesOfEnumerationsAndFlags() {
        Map<String, ConfigValue> values = validated(Map.of());

        assertThat(values.get("tide").recommendedValues()).containsExactly("high", "low", "spring_tide");
        assertThat(values.get("dry").recommendedValues()).containsExactly(true, false);
        assertThat(values.get("depth").recommendedValues()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "depth | 11 | Value must be no more than 10",
                "tide | ebb | String must be one of: high, low, spring_tide",
                "leaves | low | String must be one of: high, spring_tide",
                "ship | -a | a name does not start with `-`",
                "crew | -b | a name does not start with `-`"
            })
    void refusesABadValueWithKeyAndReason(String key, String value, String reason) {
        assertThatThrownBy(() -> config(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value " + value + " for configuration " + key + ": " + reason);
    }

    @Test
    void refusesARequiredSettingWithoutAValueOnce() {
        ConfigDef def = new SettingGroup(new ConfigDef(), "Ships")
                .requiredText("ship", "Ship")
                .parsedBy("a name", SettingGroupTest::checkName)
                .high("A ship.")
                .configDef();

        assertThat(def.validate(Map.of())).allSatisfy(value -> assertThat(value.errorMessages())
                .singleElement()
                .asString()
                .startsWith("Missing required configuration"));
    }
}
