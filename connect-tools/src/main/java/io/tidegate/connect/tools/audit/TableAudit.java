package io.tidegate.connect.tools.audit;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.command.ToolException;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Compares one table. One thread uses it. */
interface TableAudit {
    /** Takes rows that must be there, of one partition, in order. */
    void expect(List<Document> documents) throws SQLException, ToolException, InterruptedException;

    /**
     * No more rows of this partition follow.
     *
     * @param logStart the lowest offset that Kafka still has
     */
    void ends(TopicPartition partition, long logStart) throws SQLException, ToolException, InterruptedException;

    /** Compares what is left. */
    void finish(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException;
}
