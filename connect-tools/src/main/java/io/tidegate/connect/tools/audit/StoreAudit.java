package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.records.OffsetRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares a store with the documents that the sink would have written to it. One thread uses it, except for
 * {@link #abort()}.
 */
interface StoreAudit extends AutoCloseable {
    /** The next offsets of partitions that the store itself keeps; empty if it keeps none. */
    Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) throws ToolException;

    /**
     * Several scopes will be compared, one after the other.
     *
     * @throws ToolException if a row or document is made of more than one record
     */
    void requireParts() throws ToolException;

    /** What is compared. It comes first, and again before each part. */
    void begin(Scope scope) throws ToolException;

    /** Takes documents that must be there, of one partition, in order. */
    void expect(List<Document> documents) throws ToolException, InterruptedException;

    /**
     * No more documents of this partition follow.
     *
     * @param now the offsets that Kafka still has
     */
    void ends(TopicPartition partition, OffsetRange now) throws ToolException, InterruptedException;

    /** Compares what is left, after the last partition. */
    void finish(Records records) throws ToolException, InterruptedException;

    /**
     * Settings with which the sink's task repairs: with them it writes a record over an older one, and never over a newer
     * one.
     */
    Map<String, String> repairing();

    /** Whether several records may be of one row or document. */
    boolean hasSharedKeys();

    /** Whether a row or document may be of records with different keys in Kafka. */
    boolean hasKeysOfFields();

    /** Whether a record that is written late could bring back what a newer record has deleted meanwhile. */
    boolean isOrderOnly();

    /**
     * Keeps other repairs of this connector away until the end. It comes before the comparison.
     *
     * @throws ToolException if another one is running
     */
    void lock(String connector) throws ToolException;

    /** After the end: why a finding must be left alone nevertheless. */
    Optional<String> objection(Finding finding);

    /** Deletes all equal rows but one, where all rows of a record are equal. Returns how many are deleted. */
    long deleteCopies(List<Finding> doubled) throws ToolException, InterruptedException;

    /** Any thread: ends the question that the store is answering, which then fails. */
    void abort();

    @Override
    void close();

    /** Reads records again. */
    interface Records {
        /** Passes the documents of all records that are compared. */
        void compared(Visitor visitor) throws ToolException, InterruptedException;

        /** A new reader, which begins at the end of what is compared. */
        Newer newer();
    }

    /** Reads the records that came after those that are compared. */
    interface Newer {
        /**
         * Passes the documents of all records from the end of what was compared, or read by this before, up to the
         * present end of each partition.
         */
        void read(Visitor visitor) throws ToolException, InterruptedException;

        /** The offsets that Kafka has now. */
        Map<TopicPartition, OffsetRange> ranges() throws ToolException, InterruptedException;
    }

    /** Takes documents in order. */
    @FunctionalInterface
    interface Visitor {
        void visit(List<Document> documents) throws ToolException, InterruptedException;
    }
}
