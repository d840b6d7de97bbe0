package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * One value that is not what the record gives. Values are cut, and those that may be credentials are hidden.
 *
 * @param path the column, the path in the document, or both: {@code doc.readings[2].level}
 * @param expected what the record gives; empty if it gives nothing
 * @param found what is stored; empty if nothing is
 */
record Difference(String path, Optional<String> expected, Optional<String> found) {
    Difference {
        requireNonNull(path, "path");
        requireNonNull(expected, "expected");
        requireNonNull(found, "found");
    }

    @Override
    public String toString() {
        return path + ": expected " + expected.orElse("nothing") + ", found " + found.orElse("nothing");
    }
}
