package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes batches as single, atomic statements in autocommit mode, one for each table and kind of write. With an offset
 * fence, a batch and its offsets are committed together. It borrows a connection for the batch only, so many lanes can
 * share few. Only the lane's thread uses it, except for {@link #abort()}.
 */
public final class PostgresWriter implements BatchWriter {
    private final LaneWriting lane;
    private final BatchWrite batches;
    private final AbortableConnection attempt;
    private final Optional<ServerOffsets> offsets;
    private final InternalErrors ofRows = new InternalErrors();
    private final InternalErrors ofOffsets = new InternalErrors();

    /** For one lane. With a fence, offsets are committed together with the rows. */
    public PostgresWriter(PoolLease pool, WriterSettings settings, Optional<OffsetFence> fence) {
        this.attempt = new AbortableConnection(pool);
        this.offsets = fence.map(Offsets::new);
        this.lane = LaneWriting.of(settings, fence, attempt);
        this.batches = new BatchWrite(lane, fence);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try (Connection connection = attempt.borrow()) {
            List<Refusal> refusals = batches.write(connection, documents);
            ofRows.passed();
            return refusals;
        } catch (WriteException e) {
            throw ofRows.judge(e);
        } catch (SQLException e) {
            throw ofRows.judge(lane.failures().withoutRows(e, documents));
        } finally {
            attempt.end();
        }
    }

    @Override
    public long kept() {
        return lane.groups().kept();
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return offsets;
    }

    /** The offsets in the table, over connections that are borrowed for one question. */
    private final class Offsets implements ServerOffsets {
        private final OffsetFence fence;

        Offsets(OffsetFence fence) {
            this.fence = fence;
        }

        @Override
        public Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) throws WriteException {
            return ask(connection -> {
                JointStatement.requireOneTransaction(connection);
                return fence.owned().claim(fence.over(connection), partitions);
            });
        }

        @Override
        public Map<Progress, Long> store(Map<Progress, Long> nextOffsets) throws WriteException {
            return ask(connection -> fence.owned().store(fence.over(connection), nextOffsets));
        }

        @Override
        public void verify() throws WriteException {
            if (fence.owned().isEmpty()) {
                return;
            }
            try (Connection connection = attempt.borrow()) {
                fence.owned().verify(fence.over(connection));
            } catch (SQLException e) {
                throw WriteException.ofOffsets(
                        PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e);
            } finally {
                attempt.end();
            }
        }

        @Override
        public long recognised() {
            return fence.owned().recognised();
        }

        private <T> T ask(Question<T> question) throws WriteException {
            try (Connection connection = attempt.borrow()) {
                T answer = question.ask(connection);
                ofOffsets.passed();
                return answer;
            } catch (SQLException e) {
                throw ofOffsets.judge(lane.failures().ofOffsets(e));
            } finally {
                attempt.end();
            }
        }
    }

    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
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
