package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.jsonb.row.RowField;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Sends rows as one array for each field. The text, and so the plan, is the same for every number of rows. JSON is sent
 * as {@code text[]} and cast on the server, which costs it less than {@code jsonb[]}.
 */
public final class UnnestInsert implements RowInsert {
    private final RowSql sql;
    private final MetadataEncoder encoder;

    public UnnestInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    @Override
    public int maxRows() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean onConflict,
            Optional<OffsetFence> fence)
            throws SQLException {
        String text = text(shape, onConflict, fence.map(OffsetFence::fenceExpressions));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            if (fence.isPresent()) {
                fence.get().bind(statement, rows);
            }
            bind(statement, fence.isPresent() ? OffsetFence.PARAMETERS : 0, rows);
            return statement.executeUpdate();
        }
    }

    @Override
    public void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict) {
        joint.add(
                text(shape, onConflict, Optional.empty()),
                sql.inputs().size(),
                (statement, bound) -> bind(statement, bound, rows));
    }

    /** Binds the parameters of {@link #text} without a fence, starting after parameter {@code bound}. */
    public void bind(PreparedStatement statement, int bound, List<Document> rows) throws SQLException {
        int parameter = bound;
        for (RowField input : sql.inputs()) {
            statement.setObject(++parameter, ArrayParameter.of(input, rows, encoder));
        }
    }

    public String text(TableShape shape, boolean onConflict, Optional<String> fenceExpressions) {
        return sql.insertFrom(shape, arrays(), fenceExpressions, onConflict);
    }

    /** The text of a query for the rows as the server computes them, with the same parameters. */
    String queryText(TableShape shape) {
        return sql.selectFrom(shape, arrays());
    }

    private String arrays() {
        return sql.inputs().stream()
                .map(input -> "?::" + input.wire().arrayCast())
                .collect(Collectors.joining(", ", "unnest(", ")"));
    }
}
