package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.SQLException;

/** The server rejected a group. This exception holds its error and how the group was sent. */
final class RowGroupException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The statement of a group that failed before it was sent. */
    static final String LOOK_UP = "look up";

    private final transient RowGroup group;
    private final String statement;
    private final SQLException error;

    /**
     * An error of one group.
     *
     * @param statement how the group was sent, for dead letters
     */
    RowGroupException(RowGroup group, String statement, SQLException error) {
        super(error);
        this.group = requireNonNull(group, "group");
        this.statement = requireNonNull(statement, "statement");
        this.error = error;
    }

    RowGroup group() {
        return group;
    }

    String statement() {
        return statement;
    }

    SQLException error() {
        return error;
    }

    /** Whether the group failed before any row was sent, because the table could not be looked up or created. */
    boolean isLookUp() {
        return statement.equals(LOOK_UP);
    }

    /** Whether a row has the unique key of another one. */
    boolean isDuplicate() {
        return SqlState.UNIQUE_VIOLATION.equals(error.getSQLState());
    }

    /** The same group and statement, with the error that explains the failure. */
    RowGroupException meaning(SQLException known) {
        return new RowGroupException(group, statement, known);
    }
}
