package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.field.CellForm;
import io.tidegate.connect.jsonb.field.FieldCells;
import io.tidegate.connect.jsonb.field.FieldLayout;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.RowInput;
import io.tidegate.connect.jsonb.row.WireType;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.postgresql.util.PSQLState;

/** What is sent for some rows: a value of each input for each row. One thread. */
final class RowValues {
    private static final int NO_CELLS = -1;

    private final List<? extends RowInput> inputs;
    private final List<Document> rows;
    private final MetadataEncoder encoder;
    private final Optional<FieldCells> cells;
    private final int[] columns; // of the cells, by input

    private RowValues(
            List<? extends RowInput> inputs, List<Document> rows, MetadataEncoder encoder, Optional<FieldCells> cells) {
        this.inputs = List.copyOf(inputs);
        this.rows = requireNonNull(rows, "rows");
        this.encoder = requireNonNull(encoder, "encoder");
        this.cells = requireNonNull(cells, "cells");
        this.columns = new int[inputs.size()];
        int fields = 0;
        for (int i = 0; i < columns.length; i++) {
            RowInput input = inputs.get(i);
            columns[i] = cells.isEmpty() || !input.isOfValue()
                    ? NO_CELLS
                    : input == RowField.VALUE ? cells.get().rest() : fields++;
        }
    }

    /** The values of rows whose documents are one value. */
    static RowValues of(List<RowField> inputs, List<Document> rows, MetadataEncoder encoder) {
        return new RowValues(inputs, rows, encoder, Optional.empty());
    }

    /**
     * The values of rows.
     *
     * @param inputs those of fields in the order of the layout
     * @param layout where fields go; empty if documents are one value
     * @param form how fields are sent
     * @throws SQLException if a document has no such fields, with the state of a data error
     */
    static RowValues of(
            List<RowInput> inputs,
            Optional<FieldLayout> layout,
            List<Document> rows,
            CellForm form,
            MetadataEncoder encoder)
            throws SQLException {
        try {
            return new RowValues(inputs, rows, encoder, layout.map(known -> FieldCells.of(known, rows, form)));
        } catch (RefusedException e) {
            throw new SQLException(e.getMessage(), PSQLState.DATA_ERROR.getState(), e);
        }
    }

    int inputs() {
        return inputs.size();
    }

    int rows() {
        return rows.size();
    }

    /** Whether the server has to read no text of another type. */
    boolean isBinary() {
        return cells.map(FieldCells::isBinary).orElse(true);
    }

    /** How an input is sent. */
    WireType wire(int input) {
        return columns[input] == NO_CELLS
                ? inputs.get(input).wire()
                : cells.orElseThrow().wire(columns[input]);
    }

    List<WireType> wires() {
        return IntStream.range(0, inputs.size()).mapToObj(this::wire).toList();
    }

    /** Whether {@link #number} gives the values of an input, and not {@link #bytes}. */
    boolean isNumber(int input) {
        return columns[input] == NO_CELLS && !field(input).isText();
    }

    private RowField field(int input) {
        return (RowField) inputs.get(input);
    }

    /**
     * A value as bytes of its wire type, or {@link RowField#NO_BYTES}.
     *
     * @throws SQLException if it cannot be encoded, with the state of a data error
     */
    ByteSlice bytes(int row, int input) throws SQLException {
        if (columns[input] == NO_CELLS) {
            return field(input).bytes(rows.get(row), encoder);
        }
        FieldCells known = cells.orElseThrow();
        return known.length(row, columns[input]) < 0 ? RowField.NO_BYTES : known.bytes(row, columns[input]);
    }

    /**
     * A value as a number in the unit of its wire type, or {@link RowField#NO_NUMBER}.
     *
     * @throws SQLException if it cannot be encoded, with the state of a data error
     */
    long number(int row, int input) throws SQLException {
        return field(input).number(rows.get(row));
    }
}
