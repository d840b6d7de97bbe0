package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.NullValues;
import java.util.Map;

/**
 * The settings that a schedule has drawn for a sink, and what a sink with these settings promises.
 *
 * @param settings as a connector has them, without those of the shared pipeline
 * @param ids what names a row or document
 * @param mode what a record does to the one with its name
 * @param versioned whether a record never replaces one with a higher offset
 * @param exactlyOnce whether the server keeps the offsets
 * @param skipsPoison whether what the server refuses is skipped without a dead letter
 * @param nullValues what a record without a value does
 * @param recognisesLogs whether records of a topic that was made again never replace those of the earlier one
 */
public record Plan(
        Map<String, String> settings,
        Ids ids,
        Mode mode,
        boolean versioned,
        boolean exactlyOnce,
        boolean skipsPoison,
        NullValues nullValues,
        boolean recognisesLogs) {
    /** What names a row. */
    public enum Ids {
        KEY,
        /** Topic, partition and offset. */
        COORDINATES,
        /** Nothing: each write appends. */
        NONE
    }

    /** What a record does to the row with its name. */
    public enum Mode {
        REPLACE,
        /** Keeps it. */
        FIRST,
        /** Adds its fields. */
        MERGE
    }

    /** Whether records of several partitions may write a row one after the other, and the last one counts. */
    boolean keysMayMove() {
        return ids == Ids.KEY && mode == Mode.REPLACE;
    }

    /** Whether only the last of several records with one key must be written. */
    boolean lastWriteWins() {
        return ids == Ids.KEY && mode == Mode.REPLACE && !exactlyOnce;
    }
}
