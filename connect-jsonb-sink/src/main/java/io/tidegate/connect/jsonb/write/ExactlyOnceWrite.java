package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Commits rows and offsets together, by statements that are sent together. If they are for several tables and the server
 * rejects one of them, each half of the documents is written alone. A transaction is used for {@code COPY} only.
 */
final class ExactlyOnceWrite implements BatchWrite {
    private static final String NO_TRANSACTIONS = "insert.method=copy with delivery.guarantee=exactly_once needs a"
            + " transaction, which a pooler in statement mode does not take; use transaction mode there, or"
            + " insert.method=unnest";

    private final BatchCut cut;
    private final KnownTables tables;
    private final InsertStrategy strategy;
    private final RowGroupWriter groups;
    private final BatchFailures failures;
    private final OffsetFence fence;
    private int committed; // documents of the present attempt, the first ones

    ExactlyOnceWrite(LaneWriting lane, OffsetFence fence) {
        this.cut = lane.cut();
        this.tables = lane.tables();
        this.strategy = lane.strategy();
        this.groups = lane.groups();
        this.failures = lane.failures();
        this.fence = requireNonNull(fence, "fence");
    }

    @Override
    public List<Refusal> write(Connection connection, List<Document> documents) throws SQLException, WriteException {
        List<Document> unwritten = fence.owned().unwritten(fence.over(connection), documents);
        if (unwritten.isEmpty()) {
            return List.of();
        }
        committed = 0;
        try {
            writeInOrder(connection, unwritten);
            strategy.written();
            return List.of();
        } catch (RowGroupException e) {
            return failures.refusals(connection, e.meaning(known(connection, e.error())), leftOf(unwritten));
        } catch (SQLException e) {
            throw failures.of(known(connection, e), leftOf(unwritten));
        }
    }

    private List<Document> leftOf(List<Document> documents) {
        return documents.subList(committed, documents.size());
    }

    /** Writes documents together, or if that is impossible, one half after the other. They are in offset order. */
    private void writeInOrder(Connection connection, List<Document> documents) throws SQLException, RowGroupException {
        List<RowGroup> batch = cut.groupsOf(connection, documents);
        for (RowGroup group : batch) {
            tables.lookUp(connection, group); // before a transaction, because two tasks creating one table would end it
        }
        if (batch.size() == 1) {
            writeAlone(connection, batch.get(0), documents);
        } else if (!areWrittenJointly(connection, batch, documents)) {
            int half = documents.size() / 2;
            writeInOrder(connection, documents.subList(0, half));
            writeInOrder(connection, documents.subList(half, documents.size()));
            return;
        }
        fence.owned().moved(documents);
        committed += documents.size();
    }

    private void writeAlone(Connection connection, RowGroup group, List<Document> documents)
            throws SQLException, RowGroupException {
        if (cut.isCopied(connection, group)) {
            copyInTransaction(connection, group, documents);
        } else {
            groups.write(connection, group, Optional.of(fence));
        }
    }

    /** Whether rows and offsets are written in one round trip. If not, nothing is written. */
    private boolean areWrittenJointly(Connection connection, List<RowGroup> batch, List<Document> documents)
            throws SQLException {
        if (!cut.areJoint(batch)) {
            return false;
        }
        JointStatement joint = new JointStatement();
        fence.addTo(joint, documents);
        try {
            groups.writeJointly(connection, batch, joint);
            return true;
        } catch (SQLException e) {
            if (BatchFailures.endsAttempt(e) || OffsetFence.LOST.equals(e.getSQLState())) {
                throw e;
            }
            return false; // the halves show which statement failed
        }
    }

    /** Explains an error. It first marks the offsets as uncertain, because the batch may be committed. */
    private SQLException known(Connection connection, SQLException e) throws SQLException {
        fence.owned().doubt();
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
        if (strategy.isCopyDemanded()) {
            return new SQLException(NO_TRANSACTIONS, SqlState.FEATURE_NOT_SUPPORTED, refusal);
        }
        strategy.avoidCopy("A pooler in statement mode takes no transactions, which a COPY needs");
        return new SQLException(refusal.getMessage(), SqlState.SERIALIZATION_FAILURE, refusal);
    }

    private void copyInTransaction(Connection connection, RowGroup group, List<Document> documents)
            throws SQLException, RowGroupException {
        connection.setAutoCommit(false);
        try {
            fence.move(connection, documents);
            groups.copy(connection, group);
            commit(connection, group);
        } catch (SQLException | RowGroupException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    /** Commits. The server checks deferred constraints now. */
    private static void commit(Connection connection, RowGroup group) throws RowGroupException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new RowGroupException(group, "commit", e);
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
