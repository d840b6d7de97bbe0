package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
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
        return MAX_PARAMETERS / sql.columns().size();
    }

    @Override
    public void insert(Connection connection, TableShape shape, List<Document> rows, boolean resolving)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text(shape.table(), rows.size(), resolving))) {
            bind(statement, rows);
            statement.executeUpdate();
        }
    }

    String text(String table, int rows, boolean resolving) {
        String row = "(?" + ",?".repeat(sql.columns().size() - 1) + ")";
        StringBuilder text = new StringBuilder(rows * (row.length() + 1) + 256);
        text.append(sql.insertInto(table)).append("VALUES ").append(row);
        for (int i = 1; i < rows; i++) {
            text.append(',').append(row);
        }
        if (resolving) {
            text.append(sql.conflictClause());
        }
        return text.toString();
    }

    private void bind(PreparedStatement statement, List<Document> rows) throws SQLException {
        int parameter = 0;
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
