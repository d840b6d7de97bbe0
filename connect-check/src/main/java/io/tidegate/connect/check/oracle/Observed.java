package io.tidegate.connect.check.oracle;

import java.util.List;
import java.util.Optional;

/**
 * What was found after a case.
 *
 * @param failure the trace of the connector or of a task that failed
 * @param disturbed whether anything happened to the connector or a server. Connect itself does not wait for the dead letters
 *     of records that its converters refuse, so a stop can lose them
 * @param unfinished what was not committed when the time was over
 * @param overlapped whether two tasks may have had the same partition, because a worker was paused: what it had read is then
 *     written late
 */
public record Observed(
        List<StoredItem> items,
        List<Letter> letters,
        Optional<String> failure,
        Optional<String> unfinished,
        boolean disturbed,
        boolean overlapped) {
    public Observed {
        items = List.copyOf(items);
        letters = List.copyOf(letters);
    }
}
