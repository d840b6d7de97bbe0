package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.override.LaneOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.TableCreation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches as single, atomic statements in autocommit mode, one for each table and kind of write. With an offset
 * fence, a batch and its offsets are committed together. It borrows a connection for the batch only, so many lanes can
 * share few. Only the lane's thread uses it, except for {@link #abort()}.
 */
public final class PostgresWriter implements BatchWriter {
    private static final Logger log = LoggerFactory.getLogger(PostgresWriter.class);

    private final RowGroupWriter groups;
    private final BatchFailures failures;
    private final BatchWrite batches;
    private final AbortableConnection attempt;
    private final PoolLease pool;
    private final Optional<OffsetFence> fence;
    private boolean saidUnknown;

    /**
     * For one lane.
     *
     * @param isNamedByRecord whether a document's table depends on more than its topic
     * @param overrides the errors that are not handled as the failure table says
     */
    public PostgresWriter(
            PoolLease pool,
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            Optional<OffsetFence> fence,
            Predicate<Document> isNamedByRecord,
            ErrorOverrides overrides) {
        this.attempt = new AbortableConnection(pool);
        this.pool = pool;
        this.fence = fence;
        this.groups = new RowGroupWriter(row, insert, creation, fence.isPresent(), overrides);
        this.failures = new BatchFailures(
                attempt, groups, isNamedByRecord, new LaneOverrides(overrides, Clock.SYSTEM), fence.isPresent());
        this.batches = fence.isPresent()
                ? new ExactlyOnceWrite(groups, failures, fence.get())
                : new AtLeastOnceWrite(groups, failures);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try (Connection connection = attempt.borrow()) {
            return batches.write(connection, documents);
        } catch (SQLException e) {
            throw failures.withoutRows(e, documents);
        } finally {
            attempt.end();
        }
    }

    @Override
    public long kept() {
        return groups.kept();
    }

    @Override
    public void claim(Collection<Progress> partitions) throws WriteException {
        ask(connection -> batches.claim(connection, partitions));
    }

    @Override
    public void store(Map<Progress, Long> nextOffsets) throws WriteException {
        ask(connection -> batches.store(connection, nextOffsets));
    }

    @Override
    public void verify() throws WriteException {
        if (fence.isPresent() && fence.get().isEmpty()) {
            return;
        }
        try (Connection connection = attempt.borrow()) {
            if (fence.isPresent()) {
                fence.get().verify(connection);
            } else {
                sayIfUnknown(pool.see(connection));
            }
        } catch (SQLException e) {
            throw WriteException.ofOffsets(PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e);
        } finally {
            attempt.end();
        }
    }

    private void sayIfUnknown(boolean isServerKnown) {
        if (!isServerKnown && !saidUnknown) {
            saidUnknown = true;
            log.warn(
                    "The server does not say on which timeline it is and since when it runs, so {} has no effect",
                    DeliverySettings.FAILOVER_REPLAY_MS);
        }
    }

    private interface Question {
        void ask(Connection connection) throws SQLException;
    }

    private void ask(Question question) throws WriteException {
        try (Connection connection = attempt.borrow()) {
            question.ask(connection);
            failures.offsetsAnswered();
        } catch (SQLException e) {
            throw failures.ofOffsets(e);
        } finally {
            attempt.end();
        }
    }

    @Override
    public void abort() {
        attempt.abort();
    }

    @Override
    public void close() {
        // Nothing to close: connections are borrowed for a batch only.
    }
}
