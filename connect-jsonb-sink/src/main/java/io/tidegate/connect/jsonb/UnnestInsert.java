package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.ArrayParameter.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Rows as one array for each column: the same text, and so the same plan, for every number of rows. The JSON goes as
 * {@code text[]} and is cast on the server, which is cheaper there than {@code jsonb[]}.
 */
final class UnnestInsert implements RowInsert {
    private final TableSettings settings;
    private final RowSql sql;

    UnnestInsert(TableSettings settings) {
        this.settings = requireNonNull(settings, "settings");
        this.sql = new RowSql(settings);
    }

    @Override
    public int maxRows() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean resolving,
            Optional<OffsetFence> fence)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(text(shape, resolving, fence.map(OffsetFence::fenceExpressions)))) {
            if (fence.isPresent()) {
                fence.get().bind(statement, rows);
            }
            bind(statement, fence.isPresent() ? OffsetFence.PARAMETERS : 0, rows);
            statement.executeUpdate();
        }
    }

    String text(TableShape shape, boolean resolving, Optional<String> fenceExpressions) {
        List<String> columns = sql.columns();
        String value = "r.v0" + shape.castTo(columns.get(0));
        String text = sql.insertInto(shape.table())
                + switch (settings.keyMode()) {
                    case NONE -> "SELECT " + value + " FROM unnest(?::text[]) AS r(v0)";
                    case RECORD_KEY ->
                        "SELECT " + value + ", r.v1" + shape.castTo(columns.get(1))
                                + " FROM unnest(?::text[], ?::text[]) AS r(v0, v1)";
                    case KAFKA ->
                        "SELECT " + value + ", r.v1, r.v2, r.v3"
                                + " FROM unnest(?::text[], ?::text[], ?::int[], ?::bigint[]) AS r(v0, v1, v2, v3)";
                };
        return fenceExpressions
                        .map(fence -> fence + " " + text + ", fence WHERE fence.held = 1")
                        .orElse(text)
                + (resolving ? sql.conflictClause() : "");
    }

    private void bind(PreparedStatement statement, int bound, List<Document> rows) throws SQLException {
        statement.setObject(bound + 1, new ArrayParameter(Kind.TEXT, ArrayParameter.JSON, rows));
        switch (settings.keyMode()) {
            case NONE -> {}
            case RECORD_KEY -> statement.setObject(bound + 2, new ArrayParameter(Kind.TEXT, ArrayParameter.KEY, rows));
            case KAFKA -> {
                statement.setObject(bound + 2, new ArrayParameter(Kind.TEXT, ArrayParameter.TOPIC, rows));
                statement.setObject(bound + 3, new ArrayParameter(Kind.INT4, ArrayParameter.PARTITION, rows));
                statement.setObject(bound + 4, new ArrayParameter(Kind.INT8, ArrayParameter.OFFSET, rows));
            }
        }
    }
}
