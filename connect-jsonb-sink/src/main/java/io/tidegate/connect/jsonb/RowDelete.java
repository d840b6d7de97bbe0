package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Deletes the rows with some keys in one statement, whose text does not depend on their number. */
final class RowDelete {
    private final TableSettings settings;

    RowDelete(TableSettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    void delete(Connection connection, TableShape shape, List<Document> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text(shape))) {
            statement.setObject(1, new ArrayParameter(ArrayParameter.Kind.TEXT, ArrayParameter.KEY, rows));
            statement.executeUpdate();
        }
    }

    String text(TableShape shape) {
        String column = settings.keyColumns().get(0);
        String cast = shape.castTo(column);
        return "DELETE FROM " + shape.table() + " WHERE " + TableName.quote(column) + " = ANY (?::text[]"
                + (cast.isEmpty() ? "" : cast + "[]") + ")";
    }
}
