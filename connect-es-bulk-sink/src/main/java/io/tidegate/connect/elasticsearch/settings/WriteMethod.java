package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a record does to the document with its id. */
public enum WriteMethod {
    /** The document is created or replaced. */
    INDEX("index"),
    /** The document is created; an existing one is kept. */
    CREATE("create"),
    /** The record's fields are merged into the document; a record without a document is refused. */
    UPDATE("update"),
    /** The record's fields are merged into the document; a missing one is created. */
    UPSERT("update"),
    /** The document is deleted. A setting cannot say so for all records. */
    DELETE("delete"),
    /** Each record names one of the others: a setting says where. */
    BY_RECORD("");

    /** What a setting may say for all records. */
    static final List<WriteMethod> FOR_ALL = List.of(INDEX, CREATE, UPDATE, UPSERT);

    private static final List<WriteMethod> FOR_ONE = List.of(INDEX, CREATE, UPDATE, UPSERT, DELETE);

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

    /**
     * The method that does the same to a missing document and keeps an existing one; empty when this one is for existing
     * documents, or is not known before the record is.
     */
    public Optional<WriteMethod> onMissing() {
        return switch (this) {
            case INDEX, CREATE, UPSERT -> Optional.of(CREATE);
            case UPDATE, DELETE, BY_RECORD -> Optional.empty();
        };
    }

    /** Whether only ids that records share make sense, because there must be a document before. */
    public boolean needsSharedId() {
        return isMerge() || this == DELETE;
    }

    /**
     * Reads the setting.
     *
     * @throws IllegalArgumentException when it is neither one of the words nor has a place for a record to fill
     */
    static WriteMethod of(String setting) {
        return parse(setting, FOR_ALL).orElseGet(() -> {
            DocumentSettings.template(
                    setting, FOR_ALL.stream().map(EnumSetting::text).collect(Collectors.joining(", ")) + ", " + INSERT);
            return BY_RECORD;
        });
    }

    /** What a record says; empty when it is none of the words. */
    public static Optional<WriteMethod> ofRecord(String word) {
        return parse(word, FOR_ONE);
    }

    private static Optional<WriteMethod> parse(String text, List<WriteMethod> allowed) {
        String word = text.trim();
        return word.equalsIgnoreCase(INSERT)
                ? Optional.of(INDEX)
                : allowed.stream()
                        .filter(method -> EnumSetting.text(method).equalsIgnoreCase(word))
                        .findFirst();
    }
}
