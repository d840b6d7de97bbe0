package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.document.Document;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** One way to send rows to the server. One statement writes all of them or none. One lane uses it. */
public interface RowInsert {
    /** Most rows that one statement can take. */
    int maxRows();

    /**
     * Writes the rows.
     *
     * @param shape of the table, as the server knows it
     * @param rows at least one, at most {@link #maxRows}
     * @param onConflict whether existing rows are treated as {@code insert.mode} says; otherwise they cause an error
     * @param fence moves the offsets in the same statement
     * @return how many rows were inserted or changed; the others met an existing row that stays
     */
    int insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean onConflict,
            Optional<OffsetFence> fence)
            throws SQLException;

    /** Adds the same statement to those that are sent together. */
    void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict);
}
