package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.books.BookEntry;
import io.tidegate.connect.common.books.Books;
import io.tidegate.connect.common.books.FencedException;
import io.tidegate.connect.common.books.HeldOffsets;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Fences a lane's partitions in the offsets table. {@link HeldOffsets} decides; the table executes. One lane uses it.
 */
public final class OffsetFence {
    /** The state of a statement whose generation is over: {@link OffsetTable#fenceExpressions} then divides by zero. */
    public static final String LOST = SqlState.DIVISION_BY_ZERO;

    /** The same documents are written again, except those that are already written. */
    private static final String RETRY = SqlState.SERIALIZATION_FAILURE;

    /** Number of parameters of {@link OffsetTable#fenceExpressions}. */
    static final int PARAMETERS = 10;

    private final OffsetTable table;
    private final HeldOffsets held;

    public OffsetFence(OffsetTable table) {
        this(table, System::nanoTime);
    }

    /** Uses the given clock, as {@link System#nanoTime()}. */
    public OffsetFence(OffsetTable table, LongSupplier nanoTime) {
        this.table = requireNonNull(table, "table");
        this.held = new HeldOffsets(nanoTime);
    }

    private record TableOver(OffsetTable table, Connection connection) implements Books<SQLException> {
        @Override
        public Map<TopicPartition, BookEntry> claimKnown(Collection<TopicPartition> partitions) throws SQLException {
            return table.claimKnown(connection, partitions);
        }

        @Override
        public Map<TopicPartition, BookEntry> claim(Map<TopicPartition, Long> firstOffsets) throws SQLException {
            return table.claim(connection, firstOffsets);
        }

        @Override
        public Map<TopicPartition, BookEntry> read(Collection<TopicPartition> partitions) throws SQLException {
            return table.read(connection, partitions);
        }

        @Override
        public int raise(Collection<Move> moves) throws SQLException {
            return table.raise(connection, List.copyOf(moves));
        }
    }

    /** See {@link HeldOffsets#claim}. */
    public void claim(Connection connection, Collection<Progress> partitions) throws SQLException {
        held.claim(new TableOver(table, connection), partitions);
    }

    /** See {@link HeldOffsets#unwritten}. */
    public List<Document> unwritten(Connection connection, List<Document> documents) throws SQLException {
        try {
            return held.unwritten(new TableOver(table, connection), documents);
        } catch (FencedException e) {
            throw retried(e);
        }
    }

    private static SQLException retried(FencedException e) {
        return new SQLException(e.getMessage(), RETRY, e);
    }

    /** Binds the first {@link #PARAMETERS} parameters of a statement that begins with the fence's expressions. */
    void bind(PreparedStatement statement, List<Document> documents) throws SQLException {
        Map<Progress, Document> last = HeldOffsets.lastOfEach(documents);
        Map<Progress, Fingerprint> prints = new LinkedHashMap<>();
        last.forEach((progress, document) -> prints.put(progress, document.fingerprint()));
        List<Progress> partitions = List.copyOf(last.keySet());
        statement.setLong(1, table.rules());
        OffsetTable.bindMoves(
                statement,
                2,
                partitions.stream()
                        .map(each -> new Books.Move(
                                each.partition(),
                                held.entry(each),
                                last.get(each).offset() + 1))
                        .toList());
        statement.setArray(7, OffsetTable.array(statement, "int8", partitions, each -> prints.get(each)
                .timestamp()));
        statement.setArray(8, OffsetTable.array(statement, "int8", partitions, each -> prints.get(each)
                .hash()
                .orElseThrow()));
        statement.setString(9, table.connector());
        statement.setInt(10, partitions.size());
    }

    /** Runs the fence as a separate statement, for a transaction. */
    public void move(Connection connection, List<Document> documents) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(table.fenceExpressions() + " SELECT held FROM fence")) {
            bind(statement, documents);
            statement.executeQuery().close();
        }
    }

    /** Adds {@link #move} as the first of the statements that are sent together. */
    public void addTo(JointStatement joint, List<Document> documents) {
        joint.add(
                table.fenceExpressions() + " SELECT held FROM fence",
                PARAMETERS,
                (statement, bound) -> bind(statement, documents));
    }

    /** Records that the documents are written. */
    public void moved(List<Document> documents) {
        held.moved(documents);
    }

    /** See {@link HeldOffsets#store}. */
    public void store(Connection connection, Map<Progress, Long> nextOffsets) throws SQLException {
        try {
            held.store(new TableOver(table, connection), nextOffsets);
        } catch (FencedException e) {
            throw retried(e);
        }
    }

    /** See {@link HeldOffsets#isEmpty}. */
    public boolean isEmpty() {
        return held.isEmpty();
    }

    /** See {@link HeldOffsets#verify}. */
    public void verify(Connection connection) throws SQLException {
        try {
            held.verify(new TableOver(table, connection));
        } catch (FencedException e) {
            throw retried(e);
        }
    }

    /** Records that the outcome of the last attempt is unknown. */
    public void doubt() {
        held.doubt();
    }

    /**
     * Explains why a statement divided by zero.
     *
     * @return an error that makes the batch come again, if the offsets are not what this lane knew or another task has
     *     a partition; otherwise the error itself, because the table caused it
     */
    public SQLException explainLost(Connection connection, SQLException error) throws SQLException {
        try {
            return held.isRefuted(new TableOver(table, connection))
                    ? new SQLException("the server's offsets are not what this task knew of them", RETRY, error)
                    : error;
        } catch (FencedException e) {
            throw retried(e);
        }
    }

    String fenceExpressions() {
        return table.fenceExpressions();
    }
}
