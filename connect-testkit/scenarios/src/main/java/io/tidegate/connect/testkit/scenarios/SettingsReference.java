package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Checks the settings on a sink's page, which are generated from the {@code ConfigDef}: a heading for each, so that it has an
 * anchor, its type and default, and its text. Settings that are the same in all sinks are on a page that the sinks share.
 */
public final class SettingsReference {
    private static final Pattern HEADING = Pattern.compile("(?m)^#### `([^`]+)`\n");
    private static final Pattern NEXT_HEADING = Pattern.compile("(?m)^###");
    private static final Pattern RANGE = Pattern.compile("\\[(-?\\d*),?\\.\\.\\.,?(-?\\d*)]");

    private SettingsReference() {}

    /**
     * Fails if a page is not up to date.
     *
     * @param page the page of this sink, with all settings that are not on the other one
     * @param shared the page of all sinks; its headings say which settings it has. Each must be the same in every sink
     */
    public static void check(ConfigDef def, Path page, Path shared) {
        GeneratedPart part = new GeneratedPart("settings", "the ConfigDef");
        String text = part.read(shared);
        Set<String> names = names(text);
        part.check(shared, sharedMarkdown(def, text));
        part.check(page, markdown(def, names, shared.getFileName().toString()));
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

    private static Set<String> names(String markdown) {
        return HEADING.matcher(markdown)
                .results()
                .map(heading -> heading.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The same page with each setting as this sink defines it. */
    private static String sharedMarkdown(ConfigDef def, String page) {
        StringBuilder markdown = new StringBuilder();
        int done = 0;
        Matcher heading = HEADING.matcher(page);
        while (heading.find()) {
            ConfigKey key = def.configKeys().get(heading.group(1));
            assertThat(key).as("the shared setting " + heading.group(1)).isNotNull();
            Matcher next = NEXT_HEADING.matcher(page);
            markdown.append(page, done, heading.start()).append(setting(key));
            done = next.find(heading.end()) ? next.start() : page.length();
        }
        return markdown.append(page, done, page.length()).toString();
    }

    private static String markdown(ConfigDef def, Set<String> shared, String sharedPage) {
        Map<String, List<ConfigKey>> groups = def.configKeys().values().stream()
                .filter(key -> !key.internalConfig)
                .collect(Collectors.groupingBy(
                        key -> key.group == null ? "Other" : key.group, LinkedHashMap::new, Collectors.toList()));
        List<String> order = def.groups();
        return groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> order.indexOf(group.getKey())))
                .map(group -> group(group.getKey(), group.getValue(), shared, sharedPage))
                .collect(Collectors.joining());
    }

    private static String group(String name, List<ConfigKey> keys, Set<String> shared, String sharedPage) {
        keys.sort(Comparator.comparingInt(key -> key.orderInGroup));
        String links = keys.stream()
                .filter(key -> shared.contains(key.name))
                .map(key -> "[`" + key.name + "`](" + sharedPage + "#" + key.name.replace(".", "") + ")")
                .collect(Collectors.joining(", "));
        return "### " + name + "\n"
                + (links.isEmpty() ? "" : "In both sinks: " + links + ".\n\n")
                + keys.stream()
                        .filter(key -> !shared.contains(key.name))
                        .map(SettingsReference::setting)
                        .collect(Collectors.joining());
    }

    private static String setting(ConfigKey key) {
        return "#### `" + key.name + "`\n" + valuesOf(key) + defaultOf(key) + "\n\n" + text(key.documentation) + "\n\n";
    }

    /** Outside of code an underscore or an asterisk would change the font. */
    private static String text(String documentation) {
        String[] parts = documentation.replace("\n", " ").split("`", -1);
        for (int i = 0; i < parts.length; i += 2) {
            parts[i] = parts[i].replaceAll("([_*])", "\\\\$1");
        }
        return String.join("`", parts);
    }

    /** Nothing for a setting that is optional and empty. */
    private static String defaultOf(ConfigKey key) {
        if (!key.hasDefault()) {
            return ". Required";
        }
        String value = ConfigDef.convertToString(key.defaultValue, key.type);
        return value == null || value.isEmpty() || key.type == ConfigDef.Type.PASSWORD
                ? ""
                : ". Default: `" + value + "`";
    }

    private static String valuesOf(ConfigKey key) {
        String type = key.type.name().toLowerCase(Locale.ROOT);
        String values = String.valueOf(key.validator);
        Matcher range = RANGE.matcher(values);
        if (key.validator == null) {
            return type;
        }
        if (range.matches()) {
            return type
                    + (range.group(2).isEmpty()
                            ? ", at least " + range.group(1)
                            : ", " + range.group(1) + " to " + range.group(2));
        }
        if (values.startsWith("[")) {
            return type + ", `" + values.substring(1, values.length() - 1).replace(", ", "`, `") + "`";
        }
        return type + ", " + values;
    }
}
