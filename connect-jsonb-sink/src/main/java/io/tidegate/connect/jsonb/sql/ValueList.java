package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.RowField;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Rows as {@code (?,?),(?,?)}: one parameter for each field of each row. One lane uses it. */
final class ValueList {
    /** Most parameters of a statement: the protocol counts them in 16 bits (PostgreSQL documentation, Bind message). */
    private static final int MAX_PARAMETERS = 65_535;

    private final int inputs;

    ValueList(int inputs) {
        this.inputs = inputs;
    }

    int maxRows() {
        return (MAX_PARAMETERS - OffsetFence.PARAMETERS) / inputs;
    }

    int parameters(int rows) {
        return rows * inputs;
    }

    /** Rows whose types the columns decide. */
    String text(int rows) {
        String row = "(?" + ",?".repeat(inputs - 1) + ")";
        return row + ("," + row).repeat(rows - 1);
    }

    /** The same as a table expression. Its first row must name the types. */
    String table(int rows, List<String> types) {
        String first = types.stream().map(type -> "?::" + type).collect(Collectors.joining(",", "(", ")"));
        return "(VALUES " + first + (rows == 1 ? "" : "," + text(rows - 1)) + ")";
    }

    /** Binds the parameters, starting after parameter {@code bound}. */
    void bind(PreparedStatement statement, int bound, RowValues values, IntPredicate isJsonb) throws SQLException {
        int parameter = bound;
        for (int row = 0; row < values.rows(); row++) {
            for (int input = 0; input < inputs; input++) {
                bind(statement, ++parameter, values, row, input, isJsonb.test(input));
            }
        }
    }

    private static void bind(
            PreparedStatement statement, int parameter, RowValues values, int row, int input, boolean isJsonb)
            throws SQLException {
        if (!values.isNumber(input)) {
            bindText(statement, parameter, values.bytes(row, input), isJsonb);
        } else if (values.number(row, input) == RowField.NO_NUMBER) {
            statement.setNull(parameter, Types.OTHER);
        } else {
            statement.setObject(parameter, new NumberParameter(values.wire(input), values.number(row, input)));
        }
    }

    private static void bindText(PreparedStatement statement, int parameter, ByteSlice bytes, boolean isJsonb)
            throws SQLException {
        if (bytes == RowField.NO_BYTES) {
            statement.setNull(parameter, Types.OTHER);
        } else if (isJsonb) {
            statement.setObject(parameter, new JsonbParameter(bytes));
        } else {
            // Sent as text without a type: the server reads it as the type of the column.
            statement.setObject(parameter, text(bytes), Types.OTHER);
        }
    }

    /** Decodes UTF-8. Other bytes are refused, as the server refuses them, and not replaced. */
    private static String text(ByteSlice utf8) throws SQLException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8.array(), utf8.from(), utf8.length()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new SQLException("the text is not UTF-8", SqlState.NOT_IN_REPERTOIRE, e);
        }
    }
}
