package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane's hold on the offsets of its partitions: a row is written only together with the offset behind it, and only by
 * the partition's present owner. What the table says counts: where it is behind what this lane wrote, the server has come
 * back older than it was, and Kafka delivers again from there. One lane's.
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
    static final int PARAMETERS = 10;

    private final OffsetTable table;
    private final LongSupplier nanoTime;
    private final Map<Progress, OffsetTable.Entry> held = new HashMap<>();
    private final Map<TopicPartition, OffsetTable.Entry> claimed = new HashMap<>(); // and not yet held
    private final Map<Progress, Long> begun = new HashMap<>(); // where this lane's work on those held begins
    private final Map<Progress, Long> lostSince = new HashMap<>();
    private final Map<Progress, OffsetTable.Entry> lost = new HashMap<>(); // and to be claimed again
    private boolean unsure;

    public OffsetFence(OffsetTable table) {
        this(table, System::nanoTime);
    }

    /** With its own clock. */
    public OffsetFence(OffsetTable table, LongSupplier nanoTime) {
        this.table = requireNonNull(table, "table");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** Takes partitions that were just assigned from their owners, and says where they go on. */
    public void claim(Connection connection, Collection<Progress> partitions) throws SQLException {
        Map<TopicPartition, OffsetTable.Entry> known = table.claimKnown(
                connection, partitions.stream().map(Progress::partition).toList());
        for (Progress progress : partitions) {
            OffsetTable.Entry entry = known.get(progress.partition());
            if (entry == null) {
                claimed.remove(progress.partition());
                progress.claimed(OptionalLong.empty());
            } else {
                startAt(progress, entry);
            }
        }
    }

    /** Holds a partition whose deliveries begin where the table says; others are asked to go on there. */
    private void startAt(Progress progress, OffsetTable.Entry entry) {
        StartingPoint point = entry.startingPoint();
        OffsetTable.Entry before = lost.remove(progress);
        boolean isUnchanged = before != null && before.startingPoint().equals(point);
        if (isUnchanged || progress.start().equals(Optional.of(point))) {
            hold(progress, entry);
        } else {
            claimed.put(progress.partition(), entry);
            progress.restartAt(point);
        }
    }

    private void hold(Progress progress, OffsetTable.Entry entry) {
        held.put(progress, entry);
        begun.put(progress, entry.nextOffset());
        claimed.remove(progress.partition());
        progress.claimed(OptionalLong.of(entry.nextOffset()));
    }

    /**
     * The documents that are not written yet, after claiming their partitions where that has not been done.
     *
     * @throws FencedException when a partition has another owner
     */
    public List<Document> unwritten(Connection connection, List<Document> documents) throws SQLException {
        forgetRevoked();
        if (unsure) {
            readAgain(connection);
        }
        claimNew(connection, documents);
        List<Document> unwritten = new ArrayList<>(documents.size());
        for (Document document : documents) {
            OffsetTable.Entry entry = held.get(document.progress());
            if (entry == null) {
                continue; // it is delivered again from where the table says
            }
            if (document.offset() >= entry.nextOffset()) {
                unwritten.add(document);
            } else {
                document.progress().redeliveries().countRecognised(1);
            }
        }
        return unwritten;
    }

    private void forgetRevoked() {
        held.keySet().removeIf(Progress::isRevoked);
        begun.keySet().removeIf(Progress::isRevoked);
        lostSince.keySet().removeIf(Progress::isRevoked);
        lost.keySet().removeIf(Progress::isRevoked);
    }

    private void claimNew(Connection connection, List<Document> documents) throws SQLException {
        Map<Progress, Long> first = new LinkedHashMap<>();
        for (Document document : documents) {
            if (!held.containsKey(document.progress()) && !document.progress().isRevoked()) {
                first.putIfAbsent(document.progress(), document.offset());
            }
        }
        if (!first.isEmpty()) {
            claimFrom(connection, first);
        }
    }

    /** Claims partitions that would begin at these offsets, if the table does not know better. */
    private void claimFrom(Connection connection, Map<Progress, Long> first) throws SQLException {
        Map<TopicPartition, Long> unknown = new LinkedHashMap<>();
        for (Map.Entry<Progress, Long> partition : first.entrySet()) {
            OffsetTable.Entry known = claimed.get(partition.getKey().partition());
            if (known == null) {
                unknown.put(partition.getKey().partition(), partition.getValue());
            } else {
                startAt(partition.getKey(), known);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetTable.Entry> entries = table.claim(connection, unknown);
        for (Progress progress : first.keySet()) {
            OffsetTable.Entry entry = entries.get(progress.partition());
            if (entry != null && entry.isNew()) {
                log.info("{} begins at offset {}: the table knew nothing of it", progress, entry.nextOffset());
                hold(progress, entry);
            } else if (entry != null) {
                startAt(progress, entry);
            }
        }
    }

    /** After an attempt of which nobody knows whether it was committed. */
    private void readAgain(Connection connection) throws SQLException {
        Map<TopicPartition, OffsetTable.Entry> present = table.read(
                connection, held.keySet().stream().map(Progress::partition).toList());
        for (Progress progress : List.copyOf(held.keySet())) {
            compare(progress, held.get(progress), Optional.ofNullable(present.get(progress.partition())));
        }
        unsure = false;
    }

    /** Generations and offsets only rise, so what is lower than it was proves that the server has forgotten. */
    private void compare(Progress progress, OffsetTable.Entry mine, Optional<OffsetTable.Entry> present)
            throws FencedException {
        if (present.isEmpty()) {
            forgotten(progress, mine, new StartingPoint(begun.get(progress), Optional.empty()));
        } else if (present.get().generation() > mine.generation()) {
            lose(progress);
        } else if (present.get().generation() < mine.generation()
                || present.get().nextOffset() < mine.nextOffset()) {
            forgotten(progress, mine, present.get().startingPoint());
        } else {
            held.put(progress, present.get());
            progress.stored(present.get().nextOffset());
        }
    }

    private void forgotten(Progress progress, OffsetTable.Entry mine, StartingPoint point) {
        log.warn(
                "{}: records below offset {} were written, but the server does not know them: it has come back older than"
                        + " it was. Records from {} on are delivered and written again",
                progress,
                mine.nextOffset(),
                point.nextOffset());
        held.remove(progress);
        progress.restartAt(point);
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
        lost.put(progress, held.remove(progress));
        log.warn(
                "{} was claimed by another task {} s ago and is still this one's: claiming it again",
                progress,
                PATIENCE.toSeconds());
    }

    /** Binds the first {@link #PARAMETERS} parameters of a statement that begins with the fence's expressions. */
    void bind(PreparedStatement statement, List<Document> documents) throws SQLException {
        Map<Progress, Document> last = lastOfEach(documents);
        Map<Progress, Fingerprint> prints = new LinkedHashMap<>();
        last.forEach((progress, document) -> prints.put(progress, document.fingerprint()));
        List<Progress> partitions = List.copyOf(last.keySet());
        statement.setLong(1, table.rules());
        bindMoves(statement, 2, partitions, progress -> last.get(progress).offset() + 1);
        statement.setArray(
                7, array(statement, "int8", partitions, each -> prints.get(each).timestamp()));
        statement.setArray(8, array(statement, "int8", partitions, each -> prints.get(each)
                .hash()
                .orElseThrow()));
        statement.setString(9, table.connector());
        statement.setInt(10, partitions.size());
    }

    /** Binds which partitions move to where, from what they are known to be: five arrays from this parameter on. */
    private void bindMoves(
            PreparedStatement statement, int first, List<Progress> partitions, Function<Progress, Long> next)
            throws SQLException {
        statement.setArray(first, array(statement, "text", partitions, each -> each.partition()
                .topic()));
        statement.setArray(first + 1, array(statement, "int4", partitions, each -> each.partition()
                .partition()));
        statement.setArray(first + 2, array(statement, "int8", partitions, next));
        statement.setArray(first + 3, array(statement, "int8", partitions, each -> held.get(each)
                .nextOffset()));
        statement.setArray(first + 4, array(statement, "int8", partitions, each -> held.get(each)
                .generation()));
    }

    private static Array array(
            PreparedStatement statement, String type, List<Progress> partitions, Function<Progress, ?> field)
            throws SQLException {
        return statement
                .getConnection()
                .createArrayOf(type, partitions.stream().map(field).toArray());
    }

    private static Map<Progress, Document> lastOfEach(List<Document> documents) {
        Map<Progress, Document> last = new LinkedHashMap<>();
        for (Document document : documents) {
            last.merge(document.progress(), document, (a, b) -> a.offset() > b.offset() ? a : b);
        }
        return last;
    }

    /** The fence as a separate statement, for a transaction. */
    public void move(Connection connection, List<Document> documents) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(table.fenceExpressions() + " SELECT held FROM fence")) {
            bind(statement, documents);
            statement.executeQuery().close();
        }
    }

    /** The documents are written. */
    public void moved(List<Document> documents) {
        lastOfEach(documents)
                .forEach((progress, last) -> held.computeIfPresent(progress, (same, entry) -> {
                    progress.stored(last.offset() + 1);
                    return entry.movedTo(last.offset() + 1, Optional.of(last.fingerprint()));
                }));
    }

    /** Raises next offsets for records that are done without a row. */
    public void store(Connection connection, Map<Progress, Long> nextOffsets) throws SQLException {
        forgetRevoked();
        if (unsure) {
            readAgain(connection);
        }
        List<Progress> behind = nextOffsets.keySet().stream()
                .filter(each -> held.containsKey(each) && held.get(each).nextOffset() < nextOffsets.get(each))
                .toList();
        if (behind.isEmpty()) {
            return;
        }
        unsure = true;
        try (PreparedStatement statement = connection.prepareStatement(table.storeStatement())) {
            bindMoves(statement, 1, behind, nextOffsets::get);
            statement.setString(6, table.connector());
            if (statement.executeUpdate() != behind.size()) {
                readAgain(connection);
                return;
            }
        }
        unsure = false;
        for (Progress progress : behind) {
            long next = nextOffsets.get(progress);
            OffsetTable.Entry entry = held.get(progress);
            held.put(progress, entry.movedTo(next, entry.lastRecord()));
            progress.stored(next);
        }
    }

    /** Nobody knows how the last attempt ended. */
    public void doubt() {
        unsure = true;
    }

    /**
     * What it means that a statement divided by zero.
     *
     * @return that a statement which was given up has been committed after all, or that the server has forgotten, or the
     *     error itself when the offsets are as they were: then it was the table's own doing
     * @throws FencedException when a partition has another owner
     */
    public SQLException explainLost(Connection connection, SQLException error) throws SQLException {
        Map<Progress, OffsetTable.Entry> before = Map.copyOf(held);
        unsure = true;
        readAgain(connection);
        return held.equals(before)
                ? error
                : new SQLException("the server's offsets are not what this task knew of them", RETRY, error);
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
