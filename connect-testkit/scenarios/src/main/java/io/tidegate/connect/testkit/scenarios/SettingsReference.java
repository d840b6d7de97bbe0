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

/** Checks the table of a sink's settings in the documentation, which is generated from the {@code ConfigDef}. */
public final class SettingsReference {
    private SettingsReference() {}

    /** Fails if the table on the page is not up to date. */
    public static void check(ConfigDef def, Path page) {
        new GeneratedPart("settings", "the ConfigDef").check(page, markdown(def));
    }

    /**
     * Fails if a validation result lacks the recommended values of a setting that documents a list of values, or of a
     * boolean.
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
