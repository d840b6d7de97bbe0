package io.tidegate.connect.tools.store;

import io.tidegate.connect.tools.ToolException;

/**
 * Queries about the place where records arrive. It may be no server, and then only {@link #count} has a meaning. Used
 * by the main thread only.
 */
public interface StoreProbe {
    /** A measure of how much has arrived, in any unit. It costs the server almost nothing and never decreases. */
    long progress() throws ToolException;

    /**
     * Whether {@link #progress} counts records. If so, {@link #count} need not be called before it reaches the total.
     */
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

    /**
     * The number of write requests (commits, bulks) since {@code reset}, or 0 if it is unknown. Complete only when all
     * other connections are closed.
     */
    default long requests() throws ToolException {
        return 0;
    }
}
