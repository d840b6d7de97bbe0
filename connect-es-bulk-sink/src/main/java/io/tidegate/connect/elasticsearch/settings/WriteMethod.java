package io.tidegate.connect.elasticsearch.settings;

import java.util.Locale;

/** What a record with a value does to the document with its id. */
public enum WriteMethod {
    /** It is created, or replaced when it is there. */
    INDEX,
    /** It is created; one that is there is left as it is. */
    CREATE;

    /** Confluent's word for {@link #INDEX}. */
    static final String INSERT = "insert";

    /** The action's name in a bulk request, and the value of the setting. */
    public String action() {
        return name().toLowerCase(Locale.ROOT);
    }

    static WriteMethod of(String setting) {
        return setting.equals(INSERT) ? INDEX : valueOf(setting.toUpperCase(Locale.ROOT));
    }
}
