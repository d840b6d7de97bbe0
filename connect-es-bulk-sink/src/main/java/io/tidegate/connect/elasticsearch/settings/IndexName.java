package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.value.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Elasticsearch's rules for names of indices, aliases and data streams. */
public final class IndexName {
    /** Elasticsearch's limit, in bytes of UTF-8. */
    static final int MAX_BYTES = 255;

    private static final String FORBIDDEN = "\\/*?\"<>| ,#:";
    private static final String FORBIDDEN_AT_START = "-_+";

    private IndexName() {}

    /**
     * The name in lower case (by the rules of no particular language), as Elasticsearch requires.
     *
     * @throws IllegalArgumentException with the rule that the name breaks
     */
    public static String of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.isEmpty() || lower.equals(".") || lower.equals("..")) {
            throw new IllegalArgumentException("an index must have a name other than `.` and `..`");
        }
        if (FORBIDDEN_AT_START.indexOf(lower.charAt(0)) >= 0) {
            throw new IllegalArgumentException("the name of an index must not start with `-`, `_` or `+`");
        }
        if (lower.chars().anyMatch(c -> c < ' ' || FORBIDDEN.indexOf(c) >= 0)) {
            throw new IllegalArgumentException(
                    "the name of an index must not hold spaces, control characters or any of \\ / * ? \" < > | , # :");
        }
        if (!Utf8.isWellFormed(lower)) {
            throw new IllegalArgumentException("the name of an index must not hold half a surrogate pair");
        }
        if (lower.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new IllegalArgumentException("the name of an index must not be longer than " + MAX_BYTES + " bytes");
        }
        return lower;
    }
}
