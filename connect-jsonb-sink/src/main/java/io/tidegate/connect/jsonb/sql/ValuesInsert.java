package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGStatement;

/** Sends rows as {@code VALUES (?,?),(?,?),...}. Each number of rows has its own text and its own plan. */
final class ValuesInsert implements RowInsert {
    /** From this many rows on, planning is the largest cost of a statement. */
    private static final int WORTH_PREPARING = 100;

    private static final int PREPARE_AT_SECOND_USE = 2;

    private final RowSql sql;
    private final DirectConnections connections = new DirectConnections();
    private int mostRows;
    private final ValueList values;

    ValuesInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.values = new ValueList(sql.inputs(), sql.metadataEncoder());
    }

    @Override
    public int maxRows() {
        return values.maxRows();
    }

    @Override
    public int insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean onConflict,
            Optional<OffsetFence> fence)
            throws SQLException {
        String text = text(shape, rows.size(), onConflict, fence.map(OffsetFence::fenceExpressions));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            if (fence.isPresent()) {
                fence.get().bind(statement, rows);
            }
            bind(statement, fence.isPresent() ? OffsetFence.PARAMETERS : 0, rows, shape);
            prepareIfFull(connection, statement, rows.size());
            return statement.executeUpdate();
        }
    }

    @Override
    public void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict) {
        joint.add(
                text(shape, rows.size(), onConflict, Optional.empty()),
                values.parameters(rows),
                (statement, bound) -> bind(statement, bound, rows, shape));
    }

    /**
     * Planning thousands of rows costs the server a third of the statement. So the text of full batches, which repeats,
     * is prepared. No other text is: each other number of rows would leave a plan of megabytes in the session.
     */
    private void prepareIfFull(Connection connection, PreparedStatement statement, int rows) throws SQLException {
        boolean isFull = rows >= mostRows;
        mostRows = Math.max(mostRows, rows);
        if (isFull && rows >= WORTH_PREPARING && connections.isDirect(connection)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(PREPARE_AT_SECOND_USE);
        }
    }

    String text(TableShape shape, int rows, boolean onConflict, Optional<String> fenceExpressions) {
        if (fenceExpressions.isEmpty() && sql.isPlain(shape) && !sql.needsIndex(onConflict)) {
            return sql.insertInto(shape.table()) + "VALUES " + values.text(rows)
                    + (onConflict ? sql.conflictClause(shape) : "");
        }
        return sql.insertFrom(shape, values.table(rows, input -> typeOf(input, shape)), fenceExpressions, onConflict);
    }

    private String typeOf(RowField input, TableShape shape) {
        boolean isText = input.wire() == WireType.JSON && !sql.isJsonb(input, shape);
        return isText ? WireType.TEXT.type() : input.wire().type();
    }

    private void bind(PreparedStatement statement, int bound, List<Document> rows, TableShape shape)
            throws SQLException {
        values.bind(statement, bound, rows, input -> sql.isJsonb(input, shape));
    }
}
