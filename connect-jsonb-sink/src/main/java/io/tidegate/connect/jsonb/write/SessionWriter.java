package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes batches over one session of a tool, which reads them there or undoes them. It moves no offsets. One thread uses
 * it, except for {@link #abort()}.
 */
public final class SessionWriter implements BatchWriter {
    private final Connection session;
    private final LaneWriting lane;

    /**
     * Makes the writer of a session.
     *
     * @param session borrowed from the pool; the caller gives it back
     */
    public SessionWriter(PoolLease pool, Connection session, WriterSettings settings) {
        this.session = requireNonNull(session, "session");
        this.lane = LaneWriting.of(settings, Optional.empty(), new AbortableConnection(pool));
    }

    /** Makes the writer of a session in autocommit mode for a table that exists and that no other session sees. */
    public SessionWriter(PoolLease pool, Connection session, RowSettings row, InsertSettings insert) {
        this(
                pool,
                session,
                new WriterSettings(
                        row,
                        insert,
                        Optional.empty(),
                        false,
                        document -> false,
                        ErrorOverrides.NONE, // a row that the table refuses is not waited for
                        new Dialect("PostgreSQL")));
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try {
            return new BatchWrite(lane, Optional.empty()).write(session, documents);
        } catch (WriteException e) { // a slow table holds up nobody here, so its rows are only to be sent in parts
            throw e.isSlow() ? e.as(Failure.TOO_MUCH, e.getMessage(), Map.of()) : e;
        } catch (SQLException e) {
            throw lane.failures().withoutRows(e, documents);
        }
    }

    /** What the writer knows of a table, which it creates as for a batch. */
    public TableShape shapeOf(String table) throws SQLException {
        return lane.tables().known(session, table).shape();
    }

    @Override
    public long kept() {
        return 0;
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return Optional.empty();
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
