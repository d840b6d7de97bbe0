package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that are sent together, in one round trip: the server runs them in one implicit transaction, so that it
 * commits all of them at once or none, also through a pooler in statement mode. It does not tell which one failed. One
 * lane's, used once. Source: PostgreSQL documentation, "Extended Query", on Sync.
 */
public final class JointStatement {
    /** Most statements: the driver would end the transaction after 256, whose answers it takes for 64,000 bytes. */
    public static final int MOST = 100;

    private final List<String> texts = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    private record Part(int parameters, Binding binding) {}

    /** Binds the parameters of a statement, from the one after {@code bound} on. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement statement, int bound) throws SQLException;
    }

    /**
     * Adds a statement.
     *
     * @param parameters how many it takes
     */
    void add(String text, int parameters, Binding binding) {
        texts.add(requireNonNull(text, "text"));
        parts.add(new Part(parameters, requireNonNull(binding, "binding")));
    }

    /** Sends all of them. */
    public void execute(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(String.join("; ", texts))) {
            int bound = 0;
            for (Part part : parts) {
                part.binding().bind(statement, bound);
                bound += part.parameters();
            }
            statement.execute();
        }
    }
}
