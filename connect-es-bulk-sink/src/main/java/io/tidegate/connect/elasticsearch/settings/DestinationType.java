package io.tidegate.connect.elasticsearch.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** What the names that documents are written to stand for. */
public enum DestinationType {
    /** Whatever has the name; an index is created when nothing has, if the server allows it. */
    ANY(""),
    /** An alias: the server refuses documents when the name is none. */
    ALIAS("require_alias"),
    /** A data stream, likewise; its documents are only created, and each has a {@code @timestamp}. */
    DATA_STREAM("require_data_stream");

    private final String parameter;

    DestinationType(String parameter) {
        this.parameter = parameter;
    }

    /** What a bulk request says so that the server sees to it. */
    public Map<String, String> parameters() {
        return parameter.isEmpty() ? Map.of() : Map.of(parameter, "true");
    }

    static DestinationType of(String setting) {
        return valueOf(setting.toUpperCase(Locale.ROOT));
    }

    static String[] settingNames() {
        return Arrays.stream(values())
                .map(type -> type.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }
}
