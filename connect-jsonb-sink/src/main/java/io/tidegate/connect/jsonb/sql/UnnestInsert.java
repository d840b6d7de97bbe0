package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.field.CellForm;
import io.tidegate.connect.jsonb.field.FieldCells;
import io.tidegate.connect.jsonb.row.WireType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Sends rows as one array for each field. The text, and so the plan, is the same for every number of rows. JSON is sent
 * as {@code text[]} and cast on the server, which costs it less than {@code jsonb[]}.
 */
public final class UnnestInsert {
    private final RowSql sql;
    private final MetadataEncoder encoder;

    public UnnestInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    /** Whether existing rows are treated as {@code insert.mode} says. */
    public boolean isResolving() {
        return sql.isResolving();
    }

    /**
     * Adds the statement to those that are sent together.
     *
     * @throws SQLException if a row cannot be encoded, with the state of a data error
     */
    public void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict)
            throws SQLException {
        RowValues values = values(shape, rows);
        joint.add(
                sql.insertFrom(shape, table(values), onConflict),
                values.inputs(),
                (statement, bound) -> ArrayParameter.bind(statement, bound, values));
    }

    /**
     * Adds a query for the rows as the server casts them for columns, which touches no table.
     *
     * @throws SQLException if a row cannot be encoded, with the state of a data error
     */
    public void addValuesTo(JointStatement joint, TableShape shape, List<Document> rows) throws SQLException {
        RowValues values = values(shape, rows);
        joint.add(
                sql.selectFrom(shape, table(values)),
                values.inputs(),
                (statement, bound) -> ArrayParameter.bind(statement, bound, values));
    }

    /**
     * Makes sure that the fields of a document can go into columns.
     *
     * @throws RefusedException if they cannot
     */
    public void requireFields(TableShape shape, Document document) {
        sql.layout(shape).ifPresent(layout -> FieldCells.of(layout, List.of(document), CellForm.ELEMENT));
    }

    private RowValues values(TableShape shape, List<Document> rows) throws SQLException {
        return sql.values(shape, rows, CellForm.ELEMENT, encoder);
    }

    private static String table(RowValues values) {
        return table(values.wires(), values.rows());
    }

    private static String table(List<WireType> wires, int rows) {
        return wires.isEmpty() ? RowSql.withoutFields(rows) : ArrayParameter.table(wires);
    }

    /** The statement for a row whose fields all have the usual forms of their types. */
    public String text(TableShape shape, boolean onConflict) {
        return sql.insertFrom(
                shape,
                table(
                        sql.inputs(shape).stream()
                                .map(input -> input.wire().asElement())
                                .toList(),
                        1),
                onConflict);
    }

    /** Prepares a query for the rows as the server computes them. */
    PreparedStatement query(Connection connection, TableShape shape, List<Document> rows) throws SQLException {
        RowValues values = values(shape, rows);
        PreparedStatement statement = connection.prepareStatement(sql.selectFrom(shape, table(values)));
        ArrayParameter.bind(statement, 0, values);
        return statement;
    }
}
