package io.tidegate.connect.elasticsearch.settings;

import java.util.Locale;

/** What a record with a value does to the document with its id. */
public enum WriteMethod {
    /** It is created, or replaced when it is there. */
    INDEX("index"),
    /** It is created; one that is there is left as it is. */
    CREATE("create"),
    /** The record's fields are merged into it; a record without a document is refused. */
    UPDATE("update"),
    /** The record's fields are merged into it; it is created when it is not there. */
    UPSERT("update");

    /** Confluent's word for {@link #INDEX}. */
    static final String INSERT = "insert";

    private final String action;

    WriteMethod(String action) {
        this.action = action;
    }

    /** The action's name in a bulk request. */
    public String action() {
        return action;
    }

    /** Whether the record's fields are merged into the document. */
    public boolean isMerge() {
        return this == UPDATE || this == UPSERT;
    }

    /** The value of the setting. */
    String settingName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static WriteMethod of(String setting) {
        return setting.equals(INSERT) ? INDEX : valueOf(setting.toUpperCase(Locale.ROOT));
    }
}
