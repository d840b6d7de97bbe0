package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Writes a batch once over a borrowed connection, with the guarantee that the connector asks for. One lane uses it. */
interface BatchWrite {
    /**
     * Writes the batch.
     *
     * @return the refused rows; all others are written
     * @throws SQLException if no row was sent
     * @throws WriteException if rows were sent and some are not written
     */
    List<Refusal> write(Connection connection, List<Document> documents) throws SQLException, WriteException;

    /** See {@link io.tidegate.connect.common.spi.BatchWriter#claim}. */
    default void claim(Connection connection, Collection<Progress> partitions) throws SQLException {
        partitions.forEach(partition -> partition.claimed(OptionalLong.empty()));
    }

    /** See {@link io.tidegate.connect.common.spi.BatchWriter#store}. */
    default void store(Connection connection, Map<Progress, Long> nextOffsets) throws SQLException {
        nextOffsets.forEach(Progress::stored);
    }
}
