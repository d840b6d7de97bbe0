package io.tidegate.connect.jsonb;

import java.util.Arrays;
import java.util.Locale;

/** Constants as they stand in a connector's configuration: in lower case. */
final class SettingNames {
    private SettingNames() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String[] of(Enum<?>[] constants) {
        return Arrays.stream(constants).map(SettingNames::of).toArray(String[]::new);
    }

    static <E extends Enum<E>> E valueOf(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }
}
