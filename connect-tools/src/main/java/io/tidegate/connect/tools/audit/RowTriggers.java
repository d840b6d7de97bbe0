package io.tidegate.connect.tools.audit;

/**
 * What triggers for rows that run before the sink's statement, or instead of it, may do.
 *
 * @param mayDrop whether a new row may not be stored
 * @param mayChange whether a row may not be stored as it is sent
 * @param mayKeep whether a row may not be deleted
 */
record RowTriggers(boolean mayDrop, boolean mayChange, boolean mayKeep) {
    /** Whether such a trigger, and not a fault, may be the reason of a finding. */
    boolean mayExplain(Finding.Kind kind) {
        return switch (kind) {
            case MISSING -> mayDrop;
            case DIFFERENT -> mayChange || mayKeep;
            case SURPLUS -> mayKeep || mayDrop; // one that changes a key stores a row of no record
            case DOUBLED -> false;
        };
    }
}
