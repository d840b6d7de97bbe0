package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;

/** What a record with a value does to the document with its id. */
public enum WriteMethod {
    /** The document is created or replaced. */
    INDEX("index"),
    /** The document is created; an existing one is kept. */
    CREATE("create"),
    /** The record's fields are merged into the document; a record without a document is refused. */
    UPDATE("update"),
    /** The record's fields are merged into the document; a missing one is created. */
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

    /** Whether an existing document is replaced; only then may versions come from outside. */
    public boolean isReplace() {
        return this == INDEX;
    }

    /** Whether an existing document is kept; only then may documents go to data streams. */
    public boolean isCreate() {
        return this == CREATE;
    }

    /** Whether the record's fields are merged into the document. */
    public boolean isMerge() {
        return this == UPDATE || this == UPSERT;
    }

    /** Whether a document that does not exist is created. */
    public boolean createsMissing() {
        return this != UPDATE;
    }

    static WriteMethod of(String setting) {
        return setting.equalsIgnoreCase(INSERT) ? INDEX : EnumSetting.parse(WriteMethod.class, setting);
    }
}
