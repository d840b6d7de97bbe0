package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGStatement;

/** Sends rows as {@code VALUES (?,?),(?,?),...}. Each number of rows has its own text and its own plan. */
final class ValuesInsert {
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

    int maxRows() {
        return values.maxRows();
    }

    void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict) {
        joint.add(text(shape, rows.size(), onConflict), values.parameters(rows), (statement, bound) -> {
            values.bind(statement, bound, rows, input -> sql.isJsonb(input, shape));
            prepareIfFull(statement, rows.size());
        });
    }

    /**
     * Planning thousands of rows costs the server a third of the statement. So the text of full batches, which repeats,
     * is prepared. No other text is: each other number of rows would leave a plan of megabytes in the session.
     */
    private void prepareIfFull(PreparedStatement statement, int rows) throws SQLException {
        boolean isFull = rows >= mostRows;
        mostRows = Math.max(mostRows, rows);
        if (isFull && rows >= WORTH_PREPARING && connections.isDirect(statement.getConnection())) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(PREPARE_AT_SECOND_USE);
        }
    }

    String text(TableShape shape, int rows, boolean onConflict) {
        if (sql.isPlain(shape) && !sql.needsIndex(onConflict)) {
            return sql.insertInto(shape.table()) + "VALUES " + values.text(rows)
                    + (onConflict ? sql.conflictClause(shape) : "");
        }
        return sql.insertFrom(shape, values.table(rows, input -> typeOf(input, shape)), onConflict);
    }

    private String typeOf(RowField input, TableShape shape) {
        boolean isText = input.wire() == WireType.JSON && !sql.isJsonb(input, shape);
        return isText ? WireType.TEXT.type() : input.wire().type();
    }
}
