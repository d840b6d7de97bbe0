package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Rows as {@code VALUES (?,?),(?,?),...}: a text, and a plan, for each number of rows. */
final class ValuesInsert implements RowInsert {
    /** Most parameters of a statement: the protocol counts them in 16 bits (PostgreSQL documentation, Bind message). */
    private static final int MAX_PARAMETERS = 65_535;

    private final TableSettings settings;
    private final RowSql sql;

    ValuesInsert(TableSettings settings) {
        this.settings = requireNonNull(settings, "settings");
        this.sql = new RowSql(settings);
    }

    @Override
    public int maxRows() {
        return (MAX_PARAMETERS - OffsetFence.PARAMETERS) / sql.columns().size();
    }

    @Override
    public void insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean resolving,
            Optional<OffsetFence> fence)
            throws SQLException {
        String text = fence.isPresent()
                ? fencedText(fence.get().fenceExpressions(), shape, rows.size(), resolving)
                : text(shape.table(), rows.size(), resolving);
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            if (fence.isPresent()) {
                fence.get().bind(statement, rows);
            }
            bind(statement, fence.isPresent() ? OffsetFence.PARAMETERS : 0, rows);
            statement.executeUpdate();
        }
    }

    String text(String table, int rows, boolean resolving) {
        String row = "(?" + ",?".repeat(sql.columns().size() - 1) + ")";
        return sql.insertInto(table) + "VALUES " + row + ("," + row).repeat(rows - 1)
                + (resolving ? sql.conflictClause() : "");
    }

    /** Here the rows are not the insert's own list, so the first of them has to say its types. */
    private String fencedText(String fenceExpressions, TableShape shape, int rows, boolean resolving) {
        List<String> columns = sql.columns();
        String first =
                columns.stream().map(column -> "?" + shape.castTo(column)).collect(Collectors.joining(",", "(", ")"));
        String row = ",(?" + ",?".repeat(columns.size() - 1) + ")";
        return fenceExpressions + " " + sql.insertInto(shape.table()) + "SELECT r.* FROM (VALUES " + first
                + row.repeat(rows - 1) + ") AS r, fence WHERE fence.held = 1"
                + (resolving ? sql.conflictClause() : "");
    }

    private void bind(PreparedStatement statement, int bound, List<Document> rows) throws SQLException {
        int parameter = bound;
        for (Document row : rows) {
            statement.setObject(++parameter, new JsonbParameter(row.json()));
            switch (settings.keyMode()) {
                case NONE -> {}
                // As text of no type: the server reads it as the type of the column.
                case RECORD_KEY -> statement.setObject(++parameter, PostgresTarget.keyText(row), Types.OTHER);
                case KAFKA -> {
                    TopicPartition source = row.progress().partition();
                    statement.setString(++parameter, source.topic());
                    statement.setInt(++parameter, source.partition());
                    statement.setLong(++parameter, row.offset());
                }
            }
        }
    }
}
