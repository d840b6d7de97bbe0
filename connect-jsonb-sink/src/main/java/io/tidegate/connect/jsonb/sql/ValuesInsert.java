package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.postgresql.PGStatement;

/** Sends rows as {@code VALUES (?,?),(?,?),...}. Each number of rows has its own text and its own plan. */
final class ValuesInsert implements RowInsert {
    /** Most parameters of a statement: the protocol counts them in 16 bits (PostgreSQL documentation, Bind message). */
    private static final int MAX_PARAMETERS = 65_535;

    /** From this many rows on, planning is the largest cost of a statement. */
    private static final int WORTH_PREPARING = 100;

    private static final int PREPARE_AT_SECOND_USE = 2;

    private final RowSql sql;
    private final DirectConnections connections = new DirectConnections();
    private int mostRows;
    private final MetadataEncoder encoder;

    ValuesInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    @Override
    public int maxRows() {
        return (MAX_PARAMETERS - OffsetFence.PARAMETERS) / sql.inputs().size();
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
                rows.size() * sql.inputs().size(),
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
        String row = "(?" + ",?".repeat(sql.inputs().size() - 1) + ")";
        if (fenceExpressions.isEmpty()
                && sql.isPlain(shape)
                && (onConflict || shape.keyIndex().isEmpty())) {
            return sql.insertInto(shape.table()) + "VALUES " + row + ("," + row).repeat(rows - 1)
                    + (onConflict ? sql.conflictClause(shape) : "");
        }
        // These rows are not the INSERT's own VALUES list, so the first row must name the types.
        String first = sql.inputs().stream()
                .map(input -> "?::" + typeOf(input, shape))
                .collect(Collectors.joining(",", "(", ")"));
        return sql.insertFrom(
                shape, "(VALUES " + first + ("," + row).repeat(rows - 1) + ")", fenceExpressions, onConflict);
    }

    private String typeOf(RowField input, TableShape shape) {
        boolean isText = input.wire() == WireType.JSON && !sql.isJsonb(input, shape);
        return isText ? WireType.TEXT.type() : input.wire().type();
    }

    private void bind(PreparedStatement statement, int bound, List<Document> rows, TableShape shape)
            throws SQLException {
        List<RowField> inputs = sql.inputs();
        List<Boolean> areJsonb =
                inputs.stream().map(input -> sql.isJsonb(input, shape)).toList();
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
