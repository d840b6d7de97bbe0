package io.tidegate.connect.tools.store;

import io.tidegate.connect.tools.ToolException;

/** What a measurement asks of the place where records end. The main thread only. */
public interface StoreProbe {
    /** How much has arrived, in its own unit, from something that costs the server next to nothing; never falls. */
    long progress() throws ToolException;

    /** Whether {@link #progress} counts records, so that there is no use in {@link #count} before it says all. */
    boolean progressIsExact();

    /** Records that the store answers queries about, counted. */
    long count() throws ToolException;

    /** Connections that are not the benchmark's own. */
    int connections() throws ToolException;

    /** Write requests (commits, bulks) since the place was emptied; complete only when all other connections are closed, 0 if unknown. */
    long requests() throws ToolException;
}
