package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.recovery.OffsetStore;
import io.tidegate.connect.common.recovery.OwnedOffsets;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Fences a lane's partitions in the offsets table. {@link OwnedOffsets} decides; the table executes. One lane uses it.
 */
public final class OffsetFence {
    /** The state of a statement whose generation is over: {@link OffsetTable#fence} then divides by zero. */
    public static final String LOST = SqlState.DIVISION_BY_ZERO;

    /** The same documents are written again, except those that are already written. */
    private static final String RETRY = SqlState.SERIALIZATION_FAILURE;

    /** Number of parameters of {@link OffsetTable#fence}. */
    static final int PARAMETERS = 10;

    private final OffsetTable table;
    private final OwnedOffsets owned = new OwnedOffsets();

    public OffsetFence(OffsetTable table) {
        this.table = requireNonNull(table, "table");
    }

    /** What this lane knows of its partitions' offsets. */
    public OwnedOffsets owned() {
        return owned;
    }

    /** The statements of the table over a connection. */
    public OffsetStore<SQLException> over(Connection connection) {
        return table.over(connection);
    }

    /** Whether a statement waited for a lock of these offsets: another task may hold it, and no row or table is at fault. */
    public boolean isLocked(SQLException e) {
        return table.isLocked(e);
    }

    private void bind(PreparedStatement statement, int bound, List<Document> documents) throws SQLException {
        List<OffsetStore.Move> moves = new ArrayList<>();
        List<Fingerprint> records = new ArrayList<>();
        OwnedOffsets.lastOfEach(documents).forEach((progress, last) -> {
            moves.add(new OffsetStore.Move(progress.partition(), owned.of(progress), last.offset() + 1));
            records.add(last.fingerprint());
        });
        Rows.bind(statement, bound, table.parametersOf(statement.getConnection(), moves, records));
    }

    /**
     * Runs the fence as the first statement of a transaction. The driver sends {@code BEGIN} together with it, and a server
     * that refuses {@code BEGIN} would run and commit what follows: the offsets would move without their rows. A savepoint
     * fails outside of a transaction, and the server then skips the fence.
     */
    public void move(Connection connection, List<Document> documents) throws SQLException {
        JointStatement joint = new JointStatement();
        joint.add("SAVEPOINT tidegate_begun", 0, (statement, bound) -> {});
        joint.add("RELEASE SAVEPOINT tidegate_begun", 0, (statement, bound) -> {});
        addTo(joint, documents);
        List<Integer> unused = joint.execute(connection);
    }

    /** Adds {@link #move} as the first of the statements that are sent together. */
    public void addTo(JointStatement joint, List<Document> documents) {
        joint.add(table.fence(), PARAMETERS, (statement, bound) -> bind(statement, bound, documents));
    }

    /**
     * Explains why a statement divided by zero.
     *
     * @return an error that makes the batch come again, if the offsets are not what this lane knew or another task has
     *     a partition; otherwise the error itself, because the table caused it
     */
    public SQLException explainLost(Connection connection, SQLException error) throws SQLException {
        return owned.isRefuted(over(connection))
                ? new SQLException("the server's offsets are not what this task knew of them", RETRY, error)
                : error;
    }
}
