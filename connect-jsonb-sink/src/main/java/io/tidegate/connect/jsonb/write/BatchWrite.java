package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.TableLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a batch once over a borrowed connection, and decides what is committed together: as many groups as can be sent
 * together, and with exactly once the offsets with them. A transaction is used only for a {@code COPY} that moves offsets.
 * Committed groups are not written again. One lane uses it.
 */
final class BatchWrite {
    private static final String NO_TRANSACTIONS = "insert.method=copy with delivery.guarantee=exactly_once needs a"
            + " transaction, which a pooler in statement mode does not take; use transaction mode there, or"
            + " insert.method=unnest";

    private final LaneWriting lane;
    private final Optional<OffsetFence> fence;

    /** With a fence, offsets are committed together with the rows. */
    BatchWrite(LaneWriting lane, Optional<OffsetFence> fence) {
        this.lane = requireNonNull(lane, "lane");
        this.fence = requireNonNull(fence, "fence");
    }

    /**
     * Writes the batch.
     *
     * @return the refused rows; all others are written
     * @throws SQLException if no row was sent
     * @throws WriteException if rows were sent and some are not written
     */
    List<Refusal> write(Connection connection, List<Document> documents) throws SQLException, WriteException {
        List<Document> unwritten =
                fence.isPresent() ? fence.get().owned().unwritten(fence.get().over(connection), documents) : documents;
        if (unwritten.isEmpty()) {
            return List.of();
        }
        List<RowGroup> written = new ArrayList<>();
        try {
            if (fence.isPresent()) {
                writeInOrder(connection, unwritten, fence.get(), written);
            } else {
                writeByTable(connection, unwritten, written);
            }
            lane.strategy().written();
            return List.of();
        } catch (RowGroupException e) {
            return lane.failures()
                    .refusals(connection, e.meaning(known(connection, e.error())), left(unwritten, written));
        } catch (SQLException e) {
            throw lane.failures().of(known(connection, e), left(unwritten, written));
        }
    }

    private static List<Document> left(List<Document> documents, List<RowGroup> written) {
        if (written.isEmpty()) {
            return documents;
        }
        Set<Document> done = new HashSet<>();
        written.forEach(group -> done.addAll(group.documents()));
        return documents.stream().filter(each -> !done.contains(each)).toList();
    }

    private void writeByTable(Connection connection, List<Document> documents, List<RowGroup> written)
            throws SQLException, RowGroupException {
        List<RowGroup> batch = lane.cut().groupsOf(connection, documents);
        for (List<RowGroup> commit : lane.cut().commitsOf(connection, batch)) {
            if (commit.size() > 1 && areWrittenJointly(connection, commit, new JointStatement())) {
                written.addAll(commit);
                continue;
            }
            for (RowGroup group : commit) { // one by one, they show which of them fails
                lane.groups().write(connection, group, Optional.empty());
                lane.cut().writtenAlone(group);
                written.add(group);
            }
        }
    }

    /** Writes documents together, or if that is impossible, one half after the other. They are in offset order. */
    private void writeInOrder(
            Connection connection, List<Document> documents, OffsetFence moving, List<RowGroup> written)
            throws SQLException, RowGroupException {
        List<RowGroup> batch = lane.cut().groupsOf(connection, documents);
        if (batch.size() == 1) {
            writeAlone(connection, batch.get(0), moving);
            lane.cut().writtenAlone(batch.get(0));
        } else {
            JointStatement joint = new JointStatement();
            moving.addTo(joint, documents);
            if (!lane.cut().areJoint(batch) || !areWrittenJointly(connection, batch, joint)) {
                int half = documents.size() / 2; // the halves show which statement fails
                writeInOrder(connection, documents.subList(0, half), moving, written);
                writeInOrder(connection, documents.subList(half, documents.size()), moving, written);
                return;
            }
        }
        moving.owned().moved(documents);
        written.addAll(batch);
    }

    private void writeAlone(Connection connection, RowGroup group, OffsetFence moving)
            throws SQLException, RowGroupException {
        if (lane.cut().isCopied(connection, group)) {
            try {
                if (copyInTransaction(connection, group, moving)) {
                    return;
                }
            } catch (RowGroupException e) {
                if (!e.isDuplicate()) {
                    throw e;
                }
            }
        }
        lane.groups().write(connection, group, fence);
    }

    /**
     * Whether the groups are written. If not, none of them is.
     *
     * @throws SQLException if the whole attempt failed, and not a single group
     * @throws RowGroupException if the table of a group is locked
     */
    private boolean areWrittenJointly(Connection connection, List<RowGroup> groups, JointStatement joint)
            throws SQLException, RowGroupException {
        try {
            lane.groups().writeJointly(connection, groups, joint);
            return true;
        } catch (SQLException e) {
            boolean isCancelled = PostgresFailures.isCancelled(e);
            if (PostgresFailures.isTimedOut(e) || PostgresFailures.isLate(e)) {
                lane.cut().separate(groups);
            }
            if (!isCancelled && (lane.failures().endsAttempt(e) || mayBeLost(e))) {
                throw e;
            }
            if (PostgresFailures.isLockTimeOut(e)) { // each further attempt with that table would also wait
                Set<String> locked = TableLocks.holders(
                                connection, groups.stream().map(RowGroup::table).toList())
                        .keySet();
                Optional<RowGroup> first = groups.stream()
                        .filter(group -> locked.contains(group.table()))
                        .findFirst();
                if (first.isPresent()) {
                    throw new RowGroupException(first.get(), "joint", e);
                }
                lane.cut().separate(groups); // a row is locked, and each part with its group would also wait
            }
            return false;
        }
    }

    private boolean mayBeLost(SQLException e) {
        return fence.isPresent() && OffsetFence.LOST.equals(e.getSQLState());
    }

    /** Explains an error. It first marks the offsets as uncertain, because the batch may be committed. */
    private SQLException known(Connection connection, SQLException e) throws SQLException {
        if (fence.isEmpty()) {
            return e;
        }
        fence.get().owned().doubt();
        if (PostgresFailures.refusesTransactions(e)) {
            return withoutTransactions(e);
        }
        return mayBeLost(e) ? fence.get().explainLost(connection, e) : e;
    }

    /**
     * Handles a pooler that gives each statement another connection, and so refuses transactions. The same documents
     * come again.
     */
    private SQLException withoutTransactions(SQLException refusal) {
        if (lane.strategy().isCopyDemanded()) {
            return new SQLException(NO_TRANSACTIONS, SqlState.FEATURE_NOT_SUPPORTED, refusal);
        }
        lane.strategy().avoidCopy("A pooler in statement mode takes no transactions, which a COPY needs");
        return new SQLException(refusal.getMessage(), SqlState.SERIALIZATION_FAILURE, refusal);
    }

    /** Whether the rows were copied. If not, nothing was written. */
    private boolean copyInTransaction(Connection connection, RowGroup group, OffsetFence moving)
            throws SQLException, RowGroupException {
        connection.setAutoCommit(false);
        boolean isCopied;
        try {
            moving.move(connection, group.documents());
            isCopied = lane.groups().copy(connection, group);
            if (isCopied) {
                commit(connection, group);
            } else {
                connection.rollback();
            }
        } catch (SQLException | RowGroupException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
        return isCopied;
    }

    /** Commits. The server checks deferred constraints now. */
    private static void commit(Connection connection, RowGroup group) throws RowGroupException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new RowGroupException(group, "commit", e);
        }
    }

    private static boolean isLate(Exception cause) {
        Throwable error = cause instanceof RowGroupException ofGroup ? ofGroup.error() : cause;
        return error instanceof SQLException e && PostgresFailures.isLate(e);
    }

    /** Rolls back before anything else: switching to autocommit would commit the offsets without rows. */
    private static void rollBack(Connection connection, Exception cause) {
        if (isLate(cause)) { // the server would answer this no sooner, and rolls back when the session ends
            AbortableConnection.discard(connection);
            return;
        }
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e); // the connection is lost, and its transaction too
        }
    }
}
