package io.tidegate.connect.lab.store;

import io.tidegate.connect.cli.ToolException;

/** Queries about the place where records arrive, which may be no server. Used by the main thread only. */
public interface StoreProbe {
    /** A measure of how much has arrived, in any unit. It costs the server almost nothing and never decreases. */
    long progress() throws ToolException;

    /** Whether {@link #progress} counts records, so that {@link #count} is needed only at the end. */
    default boolean progressIsExact() {
        return true;
    }

    /** The number of records that a query finds. */
    default long count() throws ToolException {
        return progress();
    }

    /** The number of connections, without this program's own. */
    default int connections() throws ToolException {
        return 0;
    }

    /** Commits or bulks since {@code reset}, complete once all other connections are closed; 0 if unknown. */
    default long requests() throws ToolException {
        return 0;
    }
}
