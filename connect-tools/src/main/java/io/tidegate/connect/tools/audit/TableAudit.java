package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.records.OffsetRange;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Compares one table. One thread uses it. */
interface TableAudit {
    /** Takes rows that must be there, of one partition, in order. */
    void expect(List<Document> documents) throws SQLException, ToolException, InterruptedException;

    /**
     * No more rows of this partition follow.
     *
     * @param now the offsets that Kafka still has
     */
    void ends(TopicPartition partition, OffsetRange now) throws SQLException, ToolException, InterruptedException;

    /** Compares what is left. */
    void finish(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException;

    /** As in {@link StoreAudit#objection}. */
    default Optional<String> objection(Finding finding) {
        return Optional.empty();
    }

    /** As in {@link StoreAudit#deleteCopies}. */
    default long deleteCopies(List<Finding> doubled) throws SQLException, ToolException, InterruptedException {
        return 0;
    }
}
