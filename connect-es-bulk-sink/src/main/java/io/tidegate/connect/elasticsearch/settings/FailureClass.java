package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;

/**
 * Why a document was not written, if there is more than one sensible reaction. {@code error.overrides} takes each as a
 * code, beside the types and statuses of errors.
 */
public enum FailureClass {
    MALFORMED_DOCUMENT("it does not fit the mapping, a pipeline cannot process it, or it is too large for a request"),
    CHANGED_DOCUMENT("another writer changed it at the same time"),
    STALE_DOCUMENT("the index has a later version, or a deletion's own"),
    EXISTING_DOCUMENT("the index has a document with the id that it made for it"),
    MISSING_DOCUMENT("it is to be updated and does not exist"),
    BLOCKED_INDEX("its index is read-only or blocked for writes, but not because a disk is full"),
    CLOSED_INDEX("its index is closed"),
    UNUSABLE_INDEX("its index does not exist and is not created, is forbidden, or has a name that is not allowed"),
    MISSING_PIPELINE("its ingest pipeline does not exist"),
    SERVER_ERROR("the server answered with status 500"),
    FAILURE_STORE("Elasticsearch wrote it to the failure store of its data stream");

    private final String reason;

    FailureClass(String reason) {
        this.reason = reason;
    }

    /** As in {@code error.overrides}. */
    public String code() {
        return EnumSetting.text(this);
    }

    /** Why the document was not written, in words. */
    public String reason() {
        return reason;
    }
}
