package io.tidegate.connect.elasticsearch.settings;

/** Why a document was not written, where more than one answer to it makes sense. Each has a setting. */
public enum FailureClass {
    /** It is no JSON object, or does not fit the mapping, or an ingest pipeline could not process it. */
    MALFORMED(
            "behavior.on.malformed.documents",
            Policy.DLQ,
            false,
            "a document that is no JSON object, lacks its version or routing, does not fit the index's mapping or that an"
                    + " ingest pipeline cannot process"),
    /** It has no id, or one that Elasticsearch does not allow. */
    ID(
            "behavior.on.invalid.ids",
            Policy.DLQ,
            false,
            "a record whose id is missing, empty, no text, or longer than the 512 bytes that Elasticsearch allows"),
    /** It was changed by another writer in between. */
    CONFLICT(
            "behavior.on.version.conflicts",
            Policy.RETRY,
            true,
            "a document that other writers change at the same time, more often than Elasticsearch tries again. A conflict"
                    + " with write.method=create or an external version counts as written"),
    /** It was to be updated and is not there. */
    MISSING(
            "behavior.on.missing.documents",
            Policy.DLQ,
            false,
            "a record that is to update a document (write.method=update) that is not there"),
    /** The index does not take writes, and not because the disk is full. */
    BLOCKED(
            "behavior.on.blocked.indexes",
            Policy.RETRY,
            true,
            "a document for an index that is read-only or blocked for writes. The block of a full disk is always waited"
                    + " for"),
    /** The ingest pipeline does not exist. */
    PIPELINE("behavior.on.missing.pipelines", Policy.FAIL, true, "a document whose ingest pipeline does not exist"),
    /** The server has an error of its own with it, again and again. */
    SERVER_ERROR(
            "behavior.on.server.errors",
            Policy.RETRY,
            true,
            "a document that the server answers with status 500 ten times in a row. With `retry` it holds up its lane,"
                    + " and the log says so"),
    /** It went to the data stream's failure store: the server says that it is written. */
    FAILURE_STORE(
            "behavior.on.failure.store",
            Policy.WARN,
            false,
            "a document that Elasticsearch put into the failure store of its data stream instead");

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

    /** Whether writing it again is one of the answers. */
    boolean isRetryable() {
        return retryable;
    }

    /** A document of this class, in words. */
    String what() {
        return what;
    }
}
