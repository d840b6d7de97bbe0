package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane's hold on the offsets of its partitions: a row is written only together with the offset behind it, and only by
 * the partition's present owner. One lane's.
 */
public final class OffsetFence {
    /** The statement found that a generation is over: {@link OffsetTable#fenceExpressions} divides by zero then. */
    public static final String LOST = SqlState.DIVISION_BY_ZERO;

    /** The same documents are written again, those that are written left out. */
    private static final String RETRY = SqlState.SERIALIZATION_FAILURE;

    /** How long a task that runs may take to learn that it has lost a partition: some polls. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(OffsetFence.class);

    /** Parameters of {@link OffsetTable#fenceExpressions}. */
    static final int PARAMETERS = 7;

    private final OffsetTable table;
    private final LongSupplier nanoTime;
    private final Map<Progress, OffsetTable.Entry> held = new HashMap<>();
    private final Map<Progress, Long> lostSince = new HashMap<>();
    private boolean unsure;

    public OffsetFence(OffsetTable table) {
        this(table, System::nanoTime);
    }

    /** With a time of its own. */
    public OffsetFence(OffsetTable table, LongSupplier nanoTime) {
        this.table = requireNonNull(table, "table");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /**
     * The documents that are not written yet, after claiming their partitions where that has not been done.
     *
     * @throws FencedException when a partition has another owner by now
     */
    public List<Document> unwritten(Connection connection, List<Document> documents) throws SQLException {
        held.keySet().removeIf(Progress::isRevoked);
        lostSince.keySet().removeIf(Progress::isRevoked);
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
        for (Progress progress : List.copyOf(held.keySet())) {
            Optional<OffsetTable.Entry> now = table.read(connection, progress.partition());
            if (now.isPresent() && now.get().generation() == held.get(progress).generation()) {
                held.put(progress, now.get());
            } else {
                lose(progress);
            }
        }
        unsure = false;
    }

    /**
     * A task that has lost a partition learns of it with its next poll, and then leaves these documents alone. If it does
     * not, it is the owner, and the claim was another one's last sign of life: a worker that woke up, or a statement of
     * ours that was believed lost.
     */
    private void lose(Progress progress) throws FencedException {
        long now = nanoTime.getAsLong();
        long since = lostSince.computeIfAbsent(progress, first -> now);
        if (now - since < PATIENCE.toNanos()) {
            throw new FencedException(progress);
        }
        lostSince.remove(progress);
        held.remove(progress);
        log.warn(
                "{} was claimed by another task {} s ago and is still this one's: claiming it again",
                progress,
                PATIENCE.toSeconds());
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
    public void move(Connection connection, List<Document> documents) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(table.fenceExpressions() + " SELECT held FROM fence")) {
            bind(statement, documents);
            statement.executeQuery().close();
        }
    }

    /** The documents are written. */
    public void moved(List<Document> documents) {
        nextOffsets(documents)
                .forEach((progress, next) -> held.computeIfPresent(
                        progress, (same, entry) -> new OffsetTable.Entry(next, entry.generation())));
    }

    /** Nobody knows how the last attempt ended. */
    public void doubt() {
        unsure = true;
    }

    /**
     * What it means that a statement divided by zero.
     *
     * @return that a statement which was given up has been committed after all, or the error itself when the offsets are
     *     as they were: then it was the table's own doing
     * @throws FencedException when a partition has another owner by now
     */
    public SQLException explainLost(Connection connection, SQLException error) throws SQLException {
        Map<Progress, OffsetTable.Entry> before = Map.copyOf(held);
        unsure = true;
        readAgain(connection);
        return held.equals(before)
                ? error
                : new SQLException("an earlier attempt, believed lost, moved the offsets meanwhile", RETRY, error);
    }

    String fenceExpressions() {
        return table.fenceExpressions();
    }

    /** Another task has claimed a partition that this one still holds. */
    public static final class FencedException extends SQLException {
        private static final long serialVersionUID = 1L;

        FencedException(Progress partition) {
            super(
                    partition
                            + " has been claimed by another task; this one writes nothing before it has learnt whose it"
                            + " is",
                    RETRY);
        }
    }
}
