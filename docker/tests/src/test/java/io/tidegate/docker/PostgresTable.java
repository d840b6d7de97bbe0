package io.tidegate.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/** A table on the server that accepts writes, whichever that is. */
final class PostgresTable implements Store {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FETCHED_ROWS = 10_000;

    private final String name;
    private final String table;
    private final String url;

    /** @param url the URL with all servers */
    PostgresTable(String name, String table, String url) {
        this.name = name;
        this.table = table;
        this.url = url;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long count() throws StoreException {
        return number("SELECT count(*) FROM " + table);
    }

    /** The result of a statement that returns one number. */
    long number(String sql) throws StoreException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }

    @Override
    public void readAfter(long number, Consumer<JsonNode> document) throws StoreException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(FETCHED_ROWS);
                try (ResultSet rows =
                        statement.executeQuery("SELECT doc FROM " + table + " WHERE (doc->>'n')::bigint > " + number)) {
                    while (rows.next()) {
                        document.accept(JSON.readTree(rows.getString(1)));
                    }
                }
            }
        } catch (SQLException e) {
            throw new StoreException(e);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
