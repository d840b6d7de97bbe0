package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;

/** Why a document was not written, if there is more than one sensible reaction. Each class has a setting. */
public enum FailureClass {
    /**
     * It is not a JSON object, does not fit the mapping, is too large for a request, or an ingest pipeline could not
     * process it.
     */
    MALFORMED(
            "behavior.on.malformed.documents",
            Policy.DLQ,
            false,
            "a document that is not a JSON object, lacks its version or routing, does not fit the index's mapping,"
                    + " that an ingest pipeline cannot process, or that is too large even alone in a request (413)"),
    /** It has no id, or one that Elasticsearch does not allow. */
    ID(
            "behavior.on.invalid.ids",
            Policy.DLQ,
            false,
            "a record whose id is missing, empty, not a text, or longer than the 512 bytes that Elasticsearch allows"),
    /** Another writer changed it meanwhile. */
    CONFLICT(
            "behavior.on.version.conflicts",
            Policy.RETRY,
            true,
            "a document that other writers change at the same time, more often than Elasticsearch retries (with"
                    + " write.method=create a conflict counts as written; with an external version see"
                    + " behavior.on.stale.documents)"),
    /** The index holds a later version of it. */
    STALE(
            "behavior.on.stale.documents",
            Policy.WARN,
            false,
            "a document whose external version is lower than the one in the index (with offsets as versions: a record"
                    + " of a topic that was created again, a record whose key moved to another partition, and a record that"
                    + " is delivered again after a later one of its key was written)"),
    /** It must be updated, but does not exist. */
    MISSING(
            "behavior.on.missing.documents",
            Policy.DLQ,
            false,
            "a record that is to update a document (write.method=update) that does not exist"),
    /** The index accepts no writes, but not because the disk is full. */
    BLOCKED(
            "behavior.on.blocked.indexes",
            Policy.RETRY,
            true,
            "a document for an index that is read-only or blocked for writes (the block of a full disk is always"
                    + " retried)"),
    /** Its index cannot be used, and not only for a short time. */
    INDEX(
            "behavior.on.unusable.indexes",
            Policy.AUTO,
            true,
            "a document whose index does not exist and may not be created, is closed, has a name that Elasticsearch does"
                    + " not allow, is an alias without a write index or a data stream that takes new documents only, or is"
                    + " forbidden to the user"),
    /** The ingest pipeline does not exist. */
    PIPELINE("behavior.on.missing.pipelines", Policy.AUTO, true, "a document whose ingest pipeline does not exist"),
    /** The server repeatedly fails with an internal error. */
    SERVER_ERROR(
            "behavior.on.server.errors",
            Policy.RETRY,
            true,
            "a document that the server answers with status 500 ten times in a row (with `retry` its index is"
                    + " held back, and the log says so)"),
    /** It went to the data stream's failure store. The server reports it as written. */
    FAILURE_STORE(
            "behavior.on.failure.store",
            Policy.WARN,
            false,
            "a document that Elasticsearch wrote to the failure store of its data stream instead");

    private final String setting;
    private final Policy standard;
    private final boolean retryable;
    private final String what;

    FailureClass(String setting, Policy standard, boolean retryable, String what) {
        this.setting = setting;
        this.standard = standard;
        this.retryable = retryable;
        this.what = what;
    }

    /** The key of the policy. */
    public String setting() {
        return setting;
    }

    Policy standard() {
        return standard;
    }

    /** Whether a policy may be to retry it. */
    boolean isRetryable() {
        return retryable;
    }

    /** A document of this class, in words. */
    String what() {
        return what;
    }

    /** The name for display, such as {@code Server error}. */
    String displayName() {
        String name = EnumSetting.text(this).replace('_', ' ');
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Whether this class can occur with this write method. */
    boolean occursWith(WriteMethod method) {
        boolean any = method == WriteMethod.BY_RECORD;
        return switch (this) {
            case STALE -> any || method.isReplace();
            case MISSING -> any || !method.createsMissing();
            case FAILURE_STORE -> any || method.isCreate();
            default -> true;
        };
    }
}
