package io.tidegate.connect.jsonb.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGStatement;

/** The short statements of the sink, and the rows or the number with which the server answers. One round trip each. */
public final class Rows {
    private Rows() {}

    /** Reads a row of a result. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** All rows, in the server's order. */
    public static <T> List<T> of(Connection connection, String query, Reader<T> reader, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            // A pooler may run the next execution in another session, which lacks what this one has prepared.
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            bind(statement, 0, parameters);
            try (ResultSet row = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (row.next()) {
                    rows.add(reader.read(row));
                }
                return rows;
            }
        }
    }

    /** How many rows a statement without a result has changed. */
    public static int changed(Connection connection, String text, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            bind(statement, 0, parameters);
            return statement.executeUpdate();
        }
    }

    /** Binds parameters, starting after parameter {@code bound}. */
    public static void bind(PreparedStatement statement, int bound, Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(bound + i + 1, parameters[i]);
        }
    }

    /** The first row; empty if there is none. */
    public static <T> Optional<T> first(Connection connection, String query, Reader<T> reader, Object... parameters)
            throws SQLException {
        return of(connection, query, reader, parameters).stream().findFirst();
    }
}
