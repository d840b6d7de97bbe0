package io.tidegate.connect.tools.store;

import io.tidegate.connect.tools.ToolException;

/** What is asked of the place where records end; without a server, a count alone answers. The main thread only. */
public interface StoreProbe {
    /** How much has arrived, in its own unit, from something that costs the server next to nothing; never falls. */
    long progress() throws ToolException;

    /** Whether {@link #progress} counts records, so that there is no use in {@link #count} before it says all. */
    default boolean progressIsExact() {
        return true;
    }

    /** Records that the store answers queries about, counted. */
    default long count() throws ToolException {
        return progress();
    }

    /** Connections that are not our own. */
    default int connections() throws ToolException {
        return 0;
    }

    /** Write requests (commits, bulks) since the place was emptied; complete only when all other connections are closed, 0 if unknown. */
    default long requests() throws ToolException {
        return 0;
    }
}
