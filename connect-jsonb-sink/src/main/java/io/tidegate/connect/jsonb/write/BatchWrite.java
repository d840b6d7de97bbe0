package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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
}
