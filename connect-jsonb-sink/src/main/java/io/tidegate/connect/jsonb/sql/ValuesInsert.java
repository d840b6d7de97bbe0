package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.jsonb.field.CellForm;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.RowInput;
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
    private final MetadataEncoder encoder;
    private final DirectConnections connections = new DirectConnections();
    private int mostRows;

    ValuesInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    int maxRows() {
        return new ValueList(sql.mostInputs()).maxRows();
    }

    void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict) throws SQLException {
        RowValues values = sql.values(shape, rows, CellForm.TEXT, encoder);
        List<RowInput> inputs = sql.inputs(shape);
        ValueList list = new ValueList(inputs.size());
        joint.add(text(shape, rows.size(), onConflict), list.parameters(rows.size()), (statement, bound) -> {
            list.bind(statement, bound, values, input -> sql.isJsonb(inputs.get(input), shape));
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
        List<RowInput> inputs = sql.inputs(shape);
        ValueList list = new ValueList(inputs.size());
        if (inputs.isEmpty()) {
            return shape.isChecked() || !shape.exists()
                    ? sql.insertFrom(shape, RowSql.withoutFields(rows), onConflict)
                    : sql.insertDefaults(shape, rows);
        }
        if (sql.isPlain(shape) && !sql.needsIndex(onConflict)) {
            return sql.insertInto(shape) + "VALUES " + list.text(rows) + (onConflict ? sql.conflictClause(shape) : "");
        }
        List<String> types = inputs.stream().map(input -> typeOf(input, shape)).toList();
        return sql.insertFrom(shape, list.table(rows, types), onConflict);
    }

    private String typeOf(RowInput input, TableShape shape) {
        boolean isText =
                input instanceof DocumentField || (input.wire() == WireType.JSON && !sql.isJsonb(input, shape));
        return isText ? WireType.TEXT.type() : input.wire().type();
    }
}
