package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.sql.Dialect.Form;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses how rows are sent. One lane uses it. */
public final class InsertStrategy {
    /**
     * A COPY costs the server less than arrays, but it has a second round trip, and a separate commit where a batch has
     * several tables. It pays from this many rows or this many bytes of JSON on.
     */
    private static final int ROWS_WORTH_A_COPY = 1_000;

    private static final int BYTES_WORTH_A_COPY = 256 << 10;

    /**
     * PostgreSQL itself has internal errors that are over at once, such as those beside an {@code ALTER TABLE}, and a
     * trigger may lack a function until it is replaced.
     */
    private static final int DOUBTFUL_ERRORS_THAT_SHOW_A_LACK = 3;

    private final InsertMethod method;
    private final ValuesInsert values;
    private final UnnestInsert unnest;
    private final CopyInsert copy;
    private final Dialect dialect;
    private Optional<Refused> refused = Optional.empty(); // empty unless a plainer form is being tried
    private final Map<Form, Integer> doubts = new EnumMap<>(Form.class); // batches in a row, by the form that was taken

    /**
     * A form of statement that the server may not take.
     *
     * @param shape of the table for which it was made
     * @param next the form that is tried now
     */
    private record Refused(SQLException error, TableShape shape, Form next) {
        /** Whether a statement for this table was made for another shape of it: it was altered, which explains the error. */
        boolean isOfOther(TableShape present) {
            return present.table().equals(shape.table())
                    && !(present.isChecked() ? present.equals(shape) : present.equals(shape.unchecked()));
        }
    }

    public InsertStrategy(InsertMethod method, RowSql sql, Dialect dialect) {
        this.method = requireNonNull(method, "method");
        this.dialect = requireNonNull(dialect, "dialect");
        this.values = new ValuesInsert(sql);
        this.unnest = new UnnestInsert(sql);
        this.copy = new CopyInsert(sql, dialect);
    }

    private Form form() {
        Form known = dialect.form();
        return refused.map(Refused::next)
                .filter(tried -> tried.compareTo(known) > 0)
                .orElse(known);
    }

    /** Whether statements use no function of the catalogue. */
    public boolean isPlain() {
        return form() == Form.PLAIN;
    }

    /**
     * Explains the error of a statement. If the server may lack what the statement needs, the same rows come again in a
     * plainer form. If that fails for another reason than its rows, the form was not at fault, and the first error counts.
     *
     * @param shape of the table, as the statement was made for it
     */
    public SQLException explain(TableShape shape, boolean isCopied, SQLException e) {
        Form sent = sent(shape, isCopied);
        boolean isUnsupported = PostgresFailures.isUnsupported(e);
        if (isUnsupported && sent != Form.PLAIN) {
            refused = Optional.of(new Refused(refused.map(Refused::error).orElse(e), shape, sent.plainer()));
            return new SQLException(
                    "the server may lack what the statement needs, so a plainer one follows: "
                            + PostgresFailures.describe(e),
                    SqlState.SERIALIZATION_FAILURE,
                    e);
        }
        if (refused.isEmpty() || !(isUnsupported || PostgresFailures.classify(e) == Failure.FATAL)) {
            return e;
        }
        SQLException first = refused.get().error();
        refused = Optional.empty();
        return first;
    }

    /** The form that was sent. Another lane may have found a plainer one since. */
    private static Form sent(TableShape shape, boolean isCopied) {
        return isCopied ? Form.COPY : shape.isChecked() ? Form.CHECKED : Form.PLAIN;
    }

    /**
     * The server took a statement for a table, which was looked up again since an error. If it has another shape, the
     * table was at fault, and not the form.
     */
    public void takenFor(TableShape shape) {
        refused = refused.filter(each -> !each.isOfOther(shape));
    }

    /** The server took rows in this form, so its earlier doubtful errors were not about the form. */
    public void taken(TableShape shape, boolean isCopied) {
        if (!doubts.isEmpty()) {
            Form sent = sent(shape, isCopied);
            doubts.keySet().removeIf(next -> next.compareTo(sent) > 0);
        }
    }

    /**
     * The server took a whole batch. A part of it would show nothing: the rest may have the row for which a trigger raises
     * the same error in every form.
     */
    public void written() {
        if (refused.isEmpty()) {
            return;
        }
        SQLException error = refused.get().error();
        Form next = refused.get().next();
        refused = Optional.empty();
        boolean isDoubtful = SqlState.INTERNAL_ERROR.equals(error.getSQLState()) || PostgresFailures.hasContext(error);
        if (!isDoubtful || doubts.merge(next, 1, Integer::sum) >= DOUBTFUL_ERRORS_THAT_SHOW_A_LACK) {
            dialect.become(next, PostgresFailures.describe(error));
        }
    }

    /** Most rows that one statement can take, however they are sent. */
    public int maxRows() {
        return isValues() ? values.maxRows() : Integer.MAX_VALUE;
    }

    /**
     * Whether some rows that are sent alone are sent as COPY.
     *
     * @param onConflict whether existing rows have to be resolved
     */
    public boolean copies(TableShape shape, List<Document> rows, boolean onConflict) {
        return switch (method) {
            case VALUES, UNNEST -> false;
            case COPY -> canCopy(shape, onConflict);
            case AUTO -> canCopy(shape, onConflict) && isWorthACopy(rows);
        };
    }

    /**
     * Sends rows as COPY.
     *
     * @return false if nothing was sent, because the rows need another statement
     */
    public boolean copy(Connection connection, TableShape shape, List<Document> rows) throws SQLException {
        return copy.copy(connection, shape, rows);
    }

    /**
     * Adds the statement that writes rows to those that are sent together.
     *
     * @param shape of the table, as the server knows it
     * @param rows at least one, at most {@link #maxRows}
     * @param onConflict whether existing rows are treated as {@code insert.mode} says; otherwise they cause an error
     * @throws SQLException if a row cannot be encoded, with the state of a data error
     */
    public void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict)
            throws SQLException {
        if (isValues()) {
            values.addTo(joint, shape, rows, onConflict);
        } else {
            unnest.addTo(joint, shape, rows, onConflict);
        }
    }

    private boolean isValues() {
        return method == InsertMethod.VALUES || isPlain();
    }

    private boolean canCopy(TableShape shape, boolean onConflict) {
        return form() == Form.COPY && !onConflict && copy.fits(shape);
    }

    private static boolean isWorthACopy(List<Document> rows) {
        if (rows.size() >= ROWS_WORTH_A_COPY) {
            return true;
        }
        long bytes = 0;
        for (Document row : rows) {
            bytes += row.json().length();
        }
        return bytes >= BYTES_WORTH_A_COPY;
    }

    /** Stops using COPY from now on, for a reason that a log line begins with. */
    public void avoidCopy(String reason) {
        dialect.avoidCopy(reason);
    }

    /** Whether the operator set {@code insert.method=copy}. */
    public boolean isCopyDemanded() {
        return method == InsertMethod.COPY;
    }
}
