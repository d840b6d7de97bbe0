package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Recommender;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Adds the settings of one group to a {@link ConfigDef}, in the order in which Connect shows them. A setting begins with its
 * kind ({@link #integer}, {@link #text} and so on) and ends with its importance and documentation. One thread uses it, while
 * a {@code ConfigDef} is made.
 */
public final class SettingGroup {
    private final ConfigDef def;
    private final String group;

    /** Continues the group if the definition has it already. */
    public SettingGroup(ConfigDef def, String group) {
        this.def = requireNonNull(def, "def");
        this.group = requireNonNull(group, "group");
    }

    public Setting<Integer> integer(String key, String displayName, int standard) {
        return new Setting<>(Type.INT, key, displayName, standard, Width.SHORT);
    }

    /** A number of bytes. */
    public Setting<Long> bytes(String key, String displayName, long standard) {
        return new Setting<>(Type.LONG, key, displayName, standard, Width.SHORT);
    }

    /** A time in milliseconds. */
    public Setting<Long> millis(String key, String displayName, long standard) {
        return new Setting<>(Type.LONG, key, displayName, standard, Width.SHORT);
    }

    public Setting<Boolean> flag(String key, String displayName, boolean standard) {
        Setting<Boolean> setting = new Setting<>(Type.BOOLEAN, key, displayName, standard, Width.SHORT);
        setting.recommended = List.of(true, false);
        return setting;
    }

    public Setting<String> text(String key, String displayName, String standard) {
        return new Setting<>(Type.STRING, key, displayName, standard, Width.MEDIUM);
    }

    /** A text that must be given. */
    public Setting<String> requiredText(String key, String displayName) {
        return new Setting<>(Type.STRING, key, displayName, ConfigDef.NO_DEFAULT_VALUE, Width.MEDIUM);
    }

    /** A password, empty by default, that Connect never shows. */
    public Setting<Password> secret(String key, String displayName) {
        return new Setting<>(Type.PASSWORD, key, displayName, "", Width.SHORT);
    }

    /** Texts separated by commas, none by default. */
    public Setting<List<String>> list(String key, String displayName) {
        return list(key, displayName, List.of());
    }

    /** Texts separated by commas. */
    public Setting<List<String>> list(String key, String displayName, List<String> standard) {
        return new Setting<>(Type.LIST, key, displayName, standard, Width.LONG);
    }

    /** Any constant of an enumeration; read it with {@link EnumSetting#read}. */
    public <E extends Enum<E>> Setting<String> oneOf(String key, String displayName, E standard) {
        return oneOf(
                key,
                displayName,
                standard,
                Arrays.asList(standard.getDeclaringClass().getEnumConstants()));
    }

    /** One of some constants of an enumeration. */
    public <E extends Enum<E>> Setting<String> oneOf(String key, String displayName, E standard, List<E> allowed) {
        List<String> values = allowed.stream().map(EnumSetting::text).toList();
        Setting<String> setting = new Setting<>(Type.STRING, key, displayName, EnumSetting.text(standard), Width.SHORT);
        setting.recommended = values;
        setting.validator = new OneOf(values);
        return setting;
    }

    /** The definition with all settings of this group. */
    public ConfigDef configDef() {
        return def;
    }

    /**
     * A setting that is not yet defined.
     *
     * @param <T> what Kafka parses its value to
     */
    public final class Setting<T> {
        private final Type type;
        private final String key;
        private final String displayName;
        private final Object standard;
        private final Width width;
        private Validator validator;
        private List<?> recommended = List.of();

        private Setting(Type type, String key, String displayName, Object standard, Width width) {
            this.type = type;
            this.key = key;
            this.displayName = displayName;
            this.standard = standard;
            this.width = width;
        }

        /** Bounds of a number, both allowed. */
        public Setting<T> between(long min, long max) {
            return validatedBy(Range.between(min, max));
        }

        /** The lower bound of a number, allowed too. */
        public Setting<T> atLeast(long min) {
            return validatedBy(Range.atLeast(min));
        }

        /** Refuses an empty text. */
        public Setting<T> nonEmpty() {
            return validatedBy(new NonEmptyString());
        }

        /**
         * Refuses what a parser refuses.
         *
         * @param form what is allowed, for the reference page
         * @param parser throws {@link IllegalArgumentException} with the reason
         */
        public Setting<T> parsedBy(String form, Consumer<T> parser) {
            @SuppressWarnings("unchecked") // Kafka has parsed the value to the type of the setting
            Validator parsing = LambdaValidator.with((name, value) -> parse(name, (T) value, parser), () -> form);
            return validatedBy(parsing);
        }

        /** As {@link #parsedBy}, for each item of a list. */
        public Setting<T> eachParsedBy(String form, Consumer<String> parser) {
            return validatedBy(LambdaValidator.with(
                    (name, value) -> {
                        if (value instanceof List<?> items) {
                            items.forEach(item -> parse(name, String.valueOf(item), parser));
                        }
                    },
                    () -> "a list of " + form));
        }

        public Setting<T> validatedBy(Validator with) {
            validator = with;
            return this;
        }

        /** Defines it as important. */
        public SettingGroup high(String documentation) {
            return define(Importance.HIGH, documentation);
        }

        /** Defines it as worth a look. */
        public SettingGroup medium(String documentation) {
            return define(Importance.MEDIUM, documentation);
        }

        /** Defines it as one that few change. */
        public SettingGroup low(String documentation) {
            return define(Importance.LOW, documentation);
        }

        private SettingGroup define(Importance importance, String documentation) {
            long before = def.configKeys().values().stream()
                    .filter(defined -> group.equals(defined.group))
                    .count();
            def.define(
                    key,
                    type,
                    standard,
                    validator,
                    importance,
                    documentation,
                    group,
                    (int) before + 1,
                    width,
                    displayName,
                    new Choice(recommended));
            return SettingGroup.this;
        }
    }

    /** Kafka reports a required setting without a value itself. */
    private static <T> void parse(String key, T value, Consumer<T> parser) {
        if (value == null) {
            return;
        }
        try {
            parser.accept(value);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, value, e.getMessage());
        }
    }

    /** Texts in any case; {@link ConfigDef.CaseInsensitiveValidString} would show them in upper case. */
    private record OneOf(List<String> texts) implements Validator {
        @Override
        public void ensureValid(String key, Object value) {
            if (!(value instanceof String text) || !texts.contains(text.toLowerCase(Locale.ROOT))) {
                throw new ConfigException(key, value, "String must be one of: " + String.join(", ", texts));
            }
        }

        @Override
        public String toString() {
            return texts.toString();
        }
    }

    /** The values to choose from, as Connect tells them in answer to a configuration. */
    private record Choice(List<?> values) implements Recommender {
        /** A new list: Kafka removes values from it. */
        @Override
        public List<Object> validValues(String name, Map<String, Object> parsed) {
            return new ArrayList<>(values);
        }

        @Override
        public boolean visible(String name, Map<String, Object> parsed) {
            return true;
        }
    }
}
