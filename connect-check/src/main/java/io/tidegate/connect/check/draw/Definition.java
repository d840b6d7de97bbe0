package io.tidegate.connect.check.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** The values that a sink's own definition allows for a setting. */
public final class Definition {
    private static final long MANY = 1_000_000_000L;

    private final ConfigDef def;

    public Definition(ConfigDef def) {
        this.def = def;
    }

    public ConfigDef def() {
        return def;
    }

    /**
     * Values to draw from: all of an enumeration or flag; of a number the default, and those of some magnitudes that its range
     * allows.
     *
     * @param least no number below this is drawn, because a case would take too long with it
     * @param most no number above this
     * @throws IllegalArgumentException if the setting is a free text
     */
    public List<String> values(String key, long least, long most) {
        ConfigKey setting = def.configKeys().get(key);
        if (setting == null) {
            throw new IllegalArgumentException("No such setting: " + key);
        }
        if (setting.type == Type.BOOLEAN) {
            return List.of("true", "false");
        }
        if (setting.type == Type.INT || setting.type == Type.LONG) {
            return numbers(setting, least, most);
        }
        List<Object> recommended =
                setting.recommender == null ? List.of() : setting.recommender.validValues(key, Map.of());
        if (recommended.isEmpty()) {
            throw new IllegalArgumentException("Not an enumeration, flag or number: " + key);
        }
        return recommended.stream().map(String::valueOf).toList();
    }

    private static List<String> numbers(ConfigKey setting, long least, long most) {
        List<String> allowed = new ArrayList<>();
        Stream.concat(
                        Stream.of(setting.defaultValue, least, most),
                        Stream.iterate(1L, number -> number < MANY, number -> number * 7))
                .map(number -> ((Number) number).longValue())
                .filter(number -> number >= least && number <= most)
                .distinct()
                .sorted()
                .forEach(number -> {
                    if (isAllowed(setting, number)) {
                        allowed.add(Long.toString(number));
                    }
                });
        return allowed;
    }

    private static boolean isAllowed(ConfigKey setting, long number) {
        if (setting.validator == null) {
            return true;
        }
        try {
            Object value = ConfigDef.parseType(setting.name, Long.toString(number), setting.type);
            setting.validator.ensureValid(setting.name, value);
            return true;
        } catch (ConfigException e) {
            return false;
        }
    }
}
