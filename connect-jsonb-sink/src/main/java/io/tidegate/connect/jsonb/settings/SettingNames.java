package io.tidegate.connect.jsonb.settings;

import java.util.Arrays;
import java.util.Locale;

/** Constants as they stand in a connector's configuration: in lower case. */
public final class SettingNames {
    private SettingNames() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static String[] of(Enum<?>[] constants) {
        return Arrays.stream(constants).map(SettingNames::of).toArray(String[]::new);
    }

    static <E extends Enum<E>> E valueOf(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }
}
