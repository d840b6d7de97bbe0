package io.tidegate.connect.jsonb;

import java.util.HashMap;
import java.util.Map;

/** A connector's configuration in one line. */
public final class Props {
    private Props() {}

    /** Reads {@code key=value}, parted by spaces; the last of a key counts. */
    public static Map<String, String> of(String settings) {
        Map<String, String> props = new HashMap<>();
        for (String setting : settings.split(" ", -1)) {
            if (!setting.isEmpty()) {
                int equals = setting.indexOf('=');
                props.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
        }
        return props;
    }
}
