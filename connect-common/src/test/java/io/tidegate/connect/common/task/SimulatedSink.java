package io.tidegate.connect.common.task;

import io.tidegate.connect.common.spi.TargetType;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

/** A sink over a server that a schedule can trouble: what each sink's tests bring to a {@link SinkSchedule}. */
public interface SimulatedSink {
    /**
     * A row or document that the server has.
     *
     * @param place its destination and what names it there; only its destination if nothing does
     * @param fields by name
     */
    record Row(String place, Map<String, String> fields) {}

    /** What a server knows of a partition's log. */
    enum LogState {
        /** Nothing, so that any log is the right one. */
        UNWRITTEN,
        /** Enough to tell another log. */
        WRITTEN,
        /** Not enough. */
        UNKNOWN
    }

    TargetType type();

    /** Draws settings. They may be ones that validation refuses: then others are drawn. */
    Plan draw(Random random);

    /**
     * Empties the server. From now on it fails as this seed says.
     *
     * @param failureRate how likely a request meets trouble
     */
    void begin(long seed, Plan plan, double failureRate, Ledger ledger, Journal journal);

    /** Whether the server itself tells the ledger what it has written. */
    boolean tellsWrites();

    /** Something happens to the server that settings promise to survive. */
    void event(Random random);

    /** From now on the server does what it is asked to do, and forgets nothing. */
    void calm();

    /** What the server has. */
    List<Row> rows();

    /** What the server knows of a log that is about to be made again. From now on it forgets nothing of before. */
    LogState log(TopicPartition partition);

    /** The next offset that the server keeps of a partition; empty if it keeps none, or has forgotten something. */
    default OptionalLong next(TopicPartition partition) {
        return OptionalLong.empty();
    }

    /** Somebody accepts the present log of a partition, as the message of the failed task says. */
    void accept(TopicPartition partition);

    /** How a task's failure begins or contains that says that the log is another one. */
    String otherLog();
}
