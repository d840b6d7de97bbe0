package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits rows and offsets together. A single statement does both. Several statements are sent together. A transaction
 * is used for {@code COPY}, or to learn which statement was rejected.
 */
final class ExactlyOnceWrite implements BatchWrite {
    private static final Logger log = LoggerFactory.getLogger(ExactlyOnceWrite.class);

    private static final String NO_TRANSACTIONS = "insert.method=copy with delivery.guarantee=exactly_once needs a"
            + " transaction, which a pooler in statement mode does not take; use transaction mode there, or"
            + " insert.method=unnest";

    private final RowGroupWriter groups;
    private final BatchFailures failures;
    private final OffsetFence fence;
    private boolean transactionsRefused; // true after a pooler refused one

    ExactlyOnceWrite(RowGroupWriter groups, BatchFailures failures, OffsetFence fence) {
        this.groups = requireNonNull(groups, "groups");
        this.failures = requireNonNull(failures, "failures");
        this.fence = requireNonNull(fence, "fence");
    }

    @Override
    public List<Refusal> write(Connection connection, List<Document> documents) throws SQLException, WriteException {
        List<Document> unwritten = fence.unwritten(connection, documents);
        if (unwritten.isEmpty()) {
            return List.of();
        }
        try {
            List<RowGroup> batch = groups.groupsOf(connection, unwritten);
            for (RowGroup group : batch) {
                groups.lookUp(
                        connection, group); // before a transaction, because two tasks creating one table would end it
            }
            writeExactlyOnce(connection, batch, unwritten);
            return List.of();
        } catch (RowGroupException e) {
            return failures.refusals(connection, e.meaning(known(connection, e.error())), unwritten);
        } catch (SQLException e) {
            throw failures.of(known(connection, e), unwritten);
        }
    }

    @Override
    public void claim(Connection connection, Collection<Progress> partitions) throws SQLException {
        fence.claim(connection, partitions);
    }

    @Override
    public void store(Connection connection, Map<Progress, Long> nextOffsets) throws SQLException {
        fence.store(connection, nextOffsets);
    }

    private void writeExactlyOnce(Connection connection, List<RowGroup> batch, List<Document> unwritten)
            throws SQLException, RowGroupException {
        boolean isOneStatement =
                batch.size() == 1 && !batch.get(0).isDelete() && !groups.isCopied(connection, batch.get(0));
        if (isOneStatement) {
            groups.write(connection, batch.get(0), Optional.of(fence));
            fence.moved(unwritten);
        } else if (areWrittenJointly(connection, batch, unwritten)) {
            fence.moved(unwritten);
        } else if (transactionsRefused) {
            writeOneByOne(connection, unwritten);
        } else {
            writeInTransaction(connection, batch, unwritten);
            fence.moved(unwritten);
        }
    }

    /** Whether rows and offsets are written in one round trip. If not, nothing is written. */
    private boolean areWrittenJointly(Connection connection, List<RowGroup> batch, List<Document> documents)
            throws SQLException, RowGroupException {
        if (!groups.areJoint(connection, batch)) {
            return false;
        }
        try {
            writeJointly(connection, batch, documents);
            return true;
        } catch (SQLException e) {
            if (BatchFailures.isOfAttempt(e) || OffsetFence.LOST.equals(e.getSQLState())) {
                throw e;
            }
            return false; // one by one, they show which group failed
        }
    }

    private void writeJointly(Connection connection, List<RowGroup> batch, List<Document> documents)
            throws SQLException {
        JointStatement joint = new JointStatement();
        fence.addTo(joint, documents);
        groups.writeJointly(connection, batch, joint);
    }

    /** Explains an error. It first marks the offsets as uncertain, because the batch may be committed. */
    private SQLException known(Connection connection, SQLException e) throws SQLException {
        fence.doubt();
        if (PostgresFailures.refusesTransactions(e)) {
            return withoutTransactions(e);
        }
        if (!OffsetFence.LOST.equals(e.getSQLState())) {
            return e;
        }
        return fence.explainLost(connection, e);
    }

    /**
     * Handles a pooler that gives each statement another connection, and so refuses transactions. The same documents
     * come again.
     */
    private SQLException withoutTransactions(SQLException refusal) {
        if (groups.strategy().isCopyDemanded()) {
            return new SQLException(NO_TRANSACTIONS, SqlState.FEATURE_NOT_SUPPORTED, refusal);
        }
        if (!transactionsRefused) {
            transactionsRefused = true;
            groups.strategy().avoidCopy();
            log.info("A pooler in statement mode takes no transactions: writing without COPY, one statement at a time");
        }
        return refusal;
    }

    /**
     * Writes groups one by one. Each statement moves the offsets of its documents, so the documents must be in offset
     * order.
     */
    private void writeOneByOne(Connection connection, List<Document> documents) throws SQLException, RowGroupException {
        for (RowGroup group : groups.consecutiveGroupsOf(documents)) {
            if (group.isDelete()) {
                delete(connection, group);
            } else {
                groups.write(connection, group, Optional.of(fence));
            }
            fence.moved(group.documents());
        }
    }

    private void delete(Connection connection, RowGroup group) throws RowGroupException {
        try {
            writeJointly(connection, List.of(group), group.documents());
        } catch (SQLException e) {
            throw new RowGroupException(group, "delete", e);
        }
    }

    private void writeInTransaction(Connection connection, List<RowGroup> batch, List<Document> documents)
            throws SQLException, RowGroupException {
        connection.setAutoCommit(false);
        try {
            fence.move(connection, documents);
            for (RowGroup group : batch) {
                groups.write(connection, group, Optional.empty());
            }
            commit(connection, batch.get(batch.size() - 1));
        } catch (SQLException | RowGroupException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    /** Commits. The server checks deferred constraints now. */
    private static void commit(Connection connection, RowGroup last) throws RowGroupException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new RowGroupException(last, "commit", e);
        }
    }

    /** Rolls back before anything else: switching to autocommit would commit the offsets without rows. */
    private static void rollBack(Connection connection, Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e); // the connection is lost, and its transaction too
        }
    }
}
