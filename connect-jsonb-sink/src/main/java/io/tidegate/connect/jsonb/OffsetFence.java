package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A lane's hold on the offsets of its partitions: a row is written only together with the offset behind it, and only by
 * the partition's present owner. One lane's.
 */
final class OffsetFence {
    /** The statement found that a generation is over: {@link OffsetTable#fenceExpressions} divides by zero then. */
    static final String LOST = "22012";

    /** Serialization failure: the same documents again, those that are written left out. */
    private static final String RETRY = "40001";

    /** Parameters of {@link OffsetTable#fenceExpressions}. */
    static final int PARAMETERS = 7;

    private final OffsetTable table;
    private final Map<Progress, OffsetTable.Entry> held = new HashMap<>();
    private boolean unsure;

    OffsetFence(OffsetTable table) {
        this.table = requireNonNull(table, "table");
    }

    /**
     * The documents that are not written yet, after claiming their partitions where that has not been done.
     *
     * @throws FencedException when a partition has another owner by now
     */
    List<Document> unwritten(Connection connection, List<Document> documents) throws SQLException {
        held.keySet().removeIf(Progress::isRevoked);
        if (unsure) {
            readAgain(connection);
        }
        List<Document> unwritten = new ArrayList<>(documents.size());
        for (Document document : documents) {
            OffsetTable.Entry entry = held.get(document.progress());
            if (entry == null) {
                entry = table.claim(connection, document.progress().partition());
                held.put(document.progress(), entry);
            }
            if (document.offset() >= entry.nextOffset()) {
                unwritten.add(document);
            }
        }
        return unwritten;
    }

    /** After an attempt of which nobody knows whether it was committed. */
    private void readAgain(Connection connection) throws SQLException {
        for (Map.Entry<Progress, OffsetTable.Entry> mine : held.entrySet()) {
            OffsetTable.Entry now = table.read(connection, mine.getKey().partition())
                    .orElseThrow(() -> new FencedException(mine.getKey()));
            if (now.generation() != mine.getValue().generation()) {
                throw new FencedException(mine.getKey());
            }
            mine.setValue(now);
        }
        unsure = false;
    }

    /** Binds the first {@link #PARAMETERS} parameters of a statement that begins with the fence's expressions. */
    void bind(PreparedStatement statement, List<Document> documents) throws SQLException {
        Map<Progress, Long> next = nextOffsets(documents);
        Connection connection = statement.getConnection();
        statement.setArray(1, array(connection, "text", next, progress -> progress.partition()
                .topic()));
        statement.setArray(2, array(connection, "int4", next, progress -> progress.partition()
                .partition()));
        statement.setArray(3, array(connection, "int8", next, next::get));
        statement.setArray(4, array(connection, "int8", next, progress -> held.get(progress)
                .nextOffset()));
        statement.setArray(5, array(connection, "int8", next, progress -> held.get(progress)
                .generation()));
        statement.setString(6, table.connector());
        statement.setInt(7, next.size());
    }

    private interface Field {
        Object of(Progress progress);
    }

    private static Array array(Connection connection, String type, Map<Progress, Long> partitions, Field field)
            throws SQLException {
        return connection.createArrayOf(
                type, partitions.keySet().stream().map(field::of).toArray());
    }

    private static Map<Progress, Long> nextOffsets(List<Document> documents) {
        Map<Progress, Long> next = new LinkedHashMap<>();
        for (Document document : documents) {
            next.merge(document.progress(), document.offset() + 1, Math::max);
        }
        return next;
    }

    /** The fence as a statement of its own, for a transaction. */
    void move(Connection connection, List<Document> documents) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(table.fenceExpressions() + " SELECT held FROM fence")) {
            bind(statement, documents);
            statement.executeQuery().close();
        }
    }

    /** The documents are written. */
    void moved(List<Document> documents) {
        nextOffsets(documents)
                .forEach((progress, next) -> held.computeIfPresent(
                        progress, (same, entry) -> new OffsetTable.Entry(next, entry.generation())));
    }

    /** Nobody knows how the last attempt ended. */
    void doubt() {
        unsure = true;
    }

    /**
     * What it means that a statement divided by zero.
     *
     * @return that a statement which was given up has been committed after all, or the error itself when the offsets are
     *     as they were: then it was the table's own doing
     * @throws FencedException when a partition has another owner by now
     */
    SQLException explainLost(Connection connection, SQLException error) throws SQLException {
        Map<Progress, OffsetTable.Entry> before = Map.copyOf(held);
        readAgain(connection);
        return held.equals(before)
                ? error
                : new SQLException("an earlier attempt, believed lost, moved the offsets meanwhile", RETRY, error);
    }

    String fenceExpressions() {
        return table.fenceExpressions();
    }

    /** Another task owns a partition that this one still holds. */
    static final class FencedException extends SQLException {
        private static final long serialVersionUID = 1L;

        /** "Object not in prerequisite state", for want of a better one. */
        private static final String STATE = "55000";

        FencedException(Progress partition) {
            super(
                    partition
                            + " has been claimed by another task; this one has lost it without noticing and writes no more",
                    STATE);
        }
    }
}
