package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.override.LaneOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * Writes batches over one session, for a tool that reads them there: into a temporary table, which no other session
 * sees. It moves no offsets. One thread uses it, except for {@link #abort()}.
 */
public final class SessionWriter implements BatchWriter {
    private final Connection session;
    private final AbortableConnection pool;
    private final AtLeastOnceWrite batches;

    /**
     * Makes the writer of a session.
     *
     * @param session borrowed from the pool, in autocommit mode; the caller gives it back
     */
    public SessionWriter(PoolLease pool, Connection session, RowSettings row, InsertSettings insert) {
        this.session = requireNonNull(session, "session");
        this.pool = new AbortableConnection(pool);
        ErrorOverrides none = ErrorOverrides.NONE; // a row that the table refuses is not waited for
        RowGroupWriter groups = new RowGroupWriter(row, insert, Optional.empty(), false, none);
        LaneOverrides lane = new LaneOverrides(none, Clock.SYSTEM);
        this.batches =
                new AtLeastOnceWrite(groups, new BatchFailures(this.pool, groups, document -> false, lane, false));
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        return batches.write(session, documents);
    }

    @Override
    public void abort() {
        AbortableConnection.discard(session);
    }

    /** Closes nothing: the session belongs to the caller. */
    @Override
    public void close() {
        // See above.
    }
}
