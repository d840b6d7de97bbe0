package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
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
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rows as {@code (?,?),(?,?)}: one parameter for each field of each row. One lane uses it. */
final class ValueList {
    /** Most parameters of a statement: the protocol counts them in 16 bits (PostgreSQL documentation, Bind message). */
    private static final int MAX_PARAMETERS = 65_535;

    private final List<RowField> inputs;
    private final MetadataEncoder encoder;

    ValueList(List<RowField> inputs, MetadataEncoder encoder) {
        this.inputs = List.copyOf(inputs);
        this.encoder = requireNonNull(encoder, "encoder");
    }

    int maxRows() {
        return (MAX_PARAMETERS - OffsetFence.PARAMETERS) / inputs.size();
    }

    int parameters(List<Document> rows) {
        return rows.size() * inputs.size();
    }

    /** Rows whose types the columns decide. */
    String text(int rows) {
        String row = "(?" + ",?".repeat(inputs.size() - 1) + ")";
        return row + ("," + row).repeat(rows - 1);
    }

    /** The same as a table expression. Its first row must name the types. */
    String table(int rows, Function<RowField, String> type) {
        String first =
                inputs.stream().map(input -> "?::" + type.apply(input)).collect(Collectors.joining(",", "(", ")"));
        return "(VALUES " + first + (rows == 1 ? "" : "," + text(rows - 1)) + ")";
    }

    /** Binds the parameters, starting after parameter {@code bound}. */
    void bind(PreparedStatement statement, int bound, List<Document> rows, Function<RowField, Boolean> isJsonb)
            throws SQLException {
        List<Boolean> areJsonb = inputs.stream().map(isJsonb).toList();
        int parameter = bound;
        for (Document row : rows) {
            for (int i = 0; i < inputs.size(); i++) {
                bind(statement, ++parameter, inputs.get(i), row, areJsonb.get(i));
            }
        }
    }

    private void bind(PreparedStatement statement, int parameter, RowField input, Document row, boolean isJsonb)
            throws SQLException {
        if (input.isText()) {
            bindText(statement, parameter, input.bytes(row, encoder), isJsonb);
        } else if (input.number(row) == RowField.NO_NUMBER) {
            statement.setNull(parameter, Types.OTHER);
        } else {
            statement.setObject(parameter, new NumberParameter(input.wire(), input.number(row)));
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
