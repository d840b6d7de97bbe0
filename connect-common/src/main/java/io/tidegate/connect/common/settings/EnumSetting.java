package io.tidegate.connect.common.settings;

import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;

/** How an enumeration is written in a configuration: its constants in lower case, read in any case. */
public final class EnumSetting {
    private EnumSetting() {}

    /** The value of the setting that means this constant. */
    public static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The constant that a text means.
     *
     * @throws IllegalArgumentException when it means none
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    }

    /** A setting that was defined by {@link SettingGroup#oneOf}. */
    public static <E extends Enum<E>> E read(AbstractConfig config, String key, Class<E> type) {
        return parse(type, config.getString(key));
    }
}
