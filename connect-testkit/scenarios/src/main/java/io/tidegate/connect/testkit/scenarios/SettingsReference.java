package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigValue;

/** The settings of a sink as its page shows them, made from the {@code ConfigDef}. */
public final class SettingsReference {
    private SettingsReference() {}

    /** Fails when the page does not show these settings as they are. */
    public static void check(ConfigDef def, Path page) {
        new GeneratedPart("settings", "the ConfigDef").check(page, markdown(def));
    }

    /**
     * Fails when a connector's answer to a configuration lacks the values that a user can choose from: those of every
     * setting whose documented values are a list, and of every boolean.
     */
    public static void checkChoices(ConfigDef def, List<ConfigValue> answer) {
        assertThat(answer).hasSameSizeAs(def.names()).allSatisfy(value -> {
            ConfigKey key = def.configKeys().get(value.name());
            if (key.type == ConfigDef.Type.BOOLEAN) {
                assertThat(value.recommendedValues()).as(key.name).containsExactly(true, false);
            } else if (key.type == ConfigDef.Type.STRING
                    && String.valueOf(key.validator).startsWith("[")) {
                assertThat(value.recommendedValues()).as(key.name).isNotEmpty().allSatisfy(choice -> assertThatCode(
                                () -> key.validator.ensureValid(key.name, choice))
                        .doesNotThrowAnyException());
            }
        });
    }

    private static String markdown(ConfigDef def) {
        Map<String, List<ConfigKey>> groups = def.configKeys().values().stream()
                .filter(key -> !key.internalConfig)
                .collect(Collectors.groupingBy(
                        key -> key.group == null ? "Other" : key.group, LinkedHashMap::new, Collectors.toList()));
        List<String> order = def.groups();
        return groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> order.indexOf(group.getKey())))
                .map(group -> group(group.getKey(), group.getValue()))
                .collect(Collectors.joining("\n"));
    }

    private static String group(String name, List<ConfigKey> keys) {
        return "### " + name + "\n| setting | default | values | |\n|---|---|---|---|\n"
                + keys.stream()
                        .sorted(Comparator.comparingInt(key -> key.orderInGroup))
                        .map(SettingsReference::row)
                        .collect(Collectors.joining());
    }

    private static String row(ConfigKey key) {
        return "| `" + key.name + "` | " + defaultOf(key) + " | " + valuesOf(key) + " | "
                + key.documentation.replace("|", "\\|").replace("\n", " ") + " |\n";
    }

    private static String defaultOf(ConfigKey key) {
        if (!key.hasDefault()) {
            return "*required*";
        }
        String value = ConfigDef.convertToString(key.defaultValue, key.type);
        return value == null || value.isEmpty() || key.type == ConfigDef.Type.PASSWORD ? "*none*" : "`" + value + "`";
    }

    private static String valuesOf(ConfigKey key) {
        String type = key.type.name().toLowerCase(Locale.ROOT);
        return key.validator == null
                ? type
                : type + ", " + key.validator.toString().replace("|", "\\|").replace("...", "…");
    }
}
