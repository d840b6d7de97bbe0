package io.tidegate.connect.elasticsearch.settings;

/**
 * External versions for ids from coordinates, which show whether a stored document is of the same record. They fall as
 * the record's timestamp rises. So a record of a topic that was created again, which has the same coordinates and is
 * younger, conflicts with the stored document and never replaces it; the same record always may.
 */
public final class LogVersion {
    /** The lowest bits count what others change in the document, which raises its version. */
    private static final int BITS_OF_CHANGES = 20;

    /**
     * Offsets and times in milliseconds, microseconds and (until 2043) nanoseconds are below; versions of records until
     * 2178 are not.
     */
    private static final long FIRST_KNOWN = 1L << 61;

    private static final long LAST_MS = (1L << (Long.SIZE - 1 - BITS_OF_CHANGES)) - 1; // in the year 2248

    private LogVersion() {}

    /**
     * The version of a record's document.
     *
     * @param timestampMs {@code null} or negative if the record has none
     */
    public static long of(Long timestampMs) {
        long time = timestampMs == null ? 0 : Math.max(0, Math.min(LAST_MS, timestampMs));
        return (LAST_MS - time) << BITS_OF_CHANGES;
    }

    /** Whether two versions are of the same record. */
    public static boolean isSameRecord(long one, long other) {
        return one >> BITS_OF_CHANGES == other >> BITS_OF_CHANGES;
    }

    /** Whether a document has such a version; others, which earlier releases and other programs wrote, show nothing. */
    public static boolean isKnown(long version) {
        return version >= FIRST_KNOWN;
    }
}
