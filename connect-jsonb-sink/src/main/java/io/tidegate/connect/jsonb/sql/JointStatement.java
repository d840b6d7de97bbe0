package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Statements that are sent together, in one round trip. The server runs them in one implicit transaction, also through
 * a pooler in statement mode, so it commits all of them or none. It does not tell which one failed. One lane uses it,
 * once. Source: PostgreSQL documentation, "Extended Query", on Sync.
 */
public final class JointStatement {
    /**
     * Most statements. The driver would end the transaction after 256, because it expects 64,000 bytes of answers to
     * them.
     */
    public static final int MOST = 100;

    private static final String TRANSACTION = "SELECT pg_catalog.txid_current()";

    private final List<Part> parts = new ArrayList<>();

    private record Part(String text, int parameters, Binding binding) {}

    /** Binds the parameters of a statement, starting after parameter {@code bound}. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement statement, int bound) throws SQLException;
    }

    /**
     * Makes sure that the server commits together what is sent together. Some that speak PostgreSQL's protocol may commit
     * each statement, and would move offsets without their rows.
     *
     * @throws SQLException if it does not
     */
    public static void requireOneTransaction(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TRANSACTION + "; " + TRANSACTION)) {
            Set<Long> transactions = new HashSet<>();
            for (boolean isRows = statement.execute(); isRows; isRows = statement.getMoreResults()) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        transactions.add(rows.getLong(1));
                    }
                }
            }
            if (transactions.size() != 1) {
                throw new SQLException(
                        "the server commits each of several statements that are sent together, so it cannot keep rows"
                                + " and offsets together; set delivery.guarantee=at_least_once",
                        SqlState.FEATURE_NOT_SUPPORTED);
            }
        }
    }

    /**
     * Adds a statement.
     *
     * @param parameters the number of its parameters
     */
    void add(String text, int parameters, Binding binding) {
        parts.add(new Part(requireNonNull(text, "text"), parameters, requireNonNull(binding, "binding")));
    }

    /**
     * Has the server plan all of them, in one round trip, with NULL for each parameter. It finds missing columns, indexes
     * and privileges, and runs nothing. It waits two seconds for a lock, such as that of an {@code ALTER TABLE}.
     *
     * @throws SQLException if the server would refuse one of them whatever its rows are, or cannot tell now
     */
    public void plan(Connection connection) throws SQLException {
        String text = parts.stream()
                .map(part -> "EXPLAIN " + part.text())
                .collect(Collectors.joining("; ", "SELECT pg_catalog.set_config('lock_timeout', '2s', true); ", ""));
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            int parameters = parts.stream().mapToInt(Part::parameters).sum();
            for (int parameter = 1; parameter <= parameters; parameter++) {
                statement.setNull(parameter, Types.OTHER);
            }
            boolean unused = statement.execute();
        }
    }

    public String text() {
        return parts.stream().map(Part::text).collect(Collectors.joining("; "));
    }

    /** Binds the parameters of {@link #text}, starting after parameter {@code bound}. */
    public void bind(PreparedStatement statement, int bound) throws SQLException {
        int before = bound;
        for (Part part : parts) {
            part.binding().bind(statement, before);
            before += part.parameters();
        }
    }

    /** The number of statements so far. */
    public int size() {
        return parts.size();
    }

    /**
     * Sends all of them.
     *
     * @return how many rows each has changed, in their order, and -1 for a query; empty where a rule of a
     *     table makes other statements of them
     */
    public List<Integer> execute(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text())) {
            bind(statement, 0);
            List<Integer> changed = new ArrayList<>();
            boolean isRows = statement.execute();
            while (isRows || statement.getUpdateCount() >= 0) {
                changed.add(isRows ? -1 : statement.getUpdateCount());
                isRows = statement.getMoreResults();
            }
            return changed.size() == parts.size() ? changed : List.of();
        }
    }
}
