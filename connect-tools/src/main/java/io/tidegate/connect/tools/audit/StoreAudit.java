package io.tidegate.connect.tools.audit;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.command.ToolException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares a store with the documents that the sink would have written to it. One thread uses it, except for
 * {@link #abort()}.
 */
interface StoreAudit extends AutoCloseable {
    /** The next offsets of partitions that the store itself keeps; empty if it keeps none. */
    Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) throws ToolException;

    /** What is compared. It comes first. */
    void begin(Scope scope) throws ToolException;

    /** Takes documents that must be there, of one partition, in order. */
    void expect(List<Document> documents) throws ToolException, InterruptedException;

    /**
     * No more documents of this partition follow.
     *
     * @param logStart the lowest offset that Kafka still has
     */
    void ends(TopicPartition partition, long logStart) throws ToolException, InterruptedException;

    /**
     * Compares what is left, after the last partition.
     *
     * @param newer gives a new reader, which begins at the end of what was compared
     */
    void finish(Supplier<Newer> newer) throws ToolException, InterruptedException;

    /** Any thread: ends the question that the store is answering, which then fails. */
    void abort();

    @Override
    void close();

    /** Reads the records that came after those that are compared. */
    @FunctionalInterface
    interface Newer {
        /**
         * Passes the documents of all records from the end of what was compared, or read by this before, up to the
         * present end of each partition.
         */
        void read(Visitor visitor) throws ToolException, InterruptedException;
    }

    /** Takes documents in order. */
    @FunctionalInterface
    interface Visitor {
        void visit(List<Document> documents) throws ToolException, InterruptedException;
    }
}
