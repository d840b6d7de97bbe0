package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    /** The same error of the same rows, in the order of these documents, which contain them. */
    RowGroupException inOrderOf(List<Document> documents) {
        Set<Document> rows = new HashSet<>(group.documents());
        RowGroup sorted = new RowGroup(
                group.table(),
                group.isDelete(),
                group.omitted(),
                documents.stream().filter(rows::contains).toList());
        return new RowGroupException(sorted, statement, error);
    }

    /** The same group and statement, with the error that explains the failure. */
    RowGroupException meaning(SQLException known) {
        return new RowGroupException(group, statement, known);
    }
}
