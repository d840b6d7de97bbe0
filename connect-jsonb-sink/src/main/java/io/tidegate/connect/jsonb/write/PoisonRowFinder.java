package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds all rows of a rejected group that are at fault, in one go. First it checks each row's text here, as JSON. If
 * all are valid, it tries the rows on the server. If it finds none, the pipeline halves the batch. One lane uses it.
 */
final class PoisonRowFinder {
    private static final Logger log = LoggerFactory.getLogger(PoisonRowFinder.class);

    /** Matches {@code COPY readings, line 3, column doc}. The server translates the word for a line. */
    private static final Pattern COPY_LINE = Pattern.compile("^COPY .*, \\p{L}+ (\\d+)", Pattern.MULTILINE);

    private final String valueColumn;
    private final UnnestInsert inserts;
    private final RowDelete deletes;
    private final ErrorOverrides overrides;

    PoisonRowFinder(String valueColumn, UnnestInsert inserts, RowDelete deletes, ErrorOverrides overrides) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.valueColumn = requireNonNull(valueColumn, "valueColumn");
        this.inserts = requireNonNull(inserts, "inserts");
        this.deletes = requireNonNull(deletes, "deletes");
    }

    /**
     * The rows at fault.
     *
     * @param rejection the server's error for the group
     * @param onConflict whether existing rows are treated as {@code insert.mode} says
     * @return empty if no row was found; otherwise at least one, each with its reason
     * @throws SQLException if another transaction aborted the trial or altered the table; the whole batch is then
     *     written again
     */
    List<Refusal> in(RowGroup run, SQLException rejection, Connection connection, TableShape shape, boolean onConflict)
            throws SQLException {
        List<Refusal> unreadable = unreadable(run, shape);
        if (!unreadable.isEmpty() || run.documents().size() == 1) {
            return unreadable;
        }
        return confirmed(run, rejection, connection, shape, onConflict);
    }

    /**
     * As {@link #in}, but it asks the server about a single row, too: its statement may have failed for another reason
     * than the row.
     */
    List<Refusal> confirmed(
            RowGroup run, SQLException rejection, Connection connection, TableShape shape, boolean onConflict)
            throws SQLException {
        try {
            return tried(run, connection, shape, onConflict);
        } catch (SQLException e) {
            if (PostgresFailures.isAborted(e) || TableShape.saysAltered(e)) {
                throw e;
            }
            log.debug("Rows of {} cannot be tried one by one: {}", run.table(), PostgresFailures.describe(e));
            return named(run, rejection).stream().toList();
        }
    }

    private List<Refusal> unreadable(RowGroup run, TableShape shape) {
        Consumer<ByteSlice> check = checkOf(shape);
        List<Refusal> refusals = new ArrayList<>();
        for (Document document : run.documents()) {
            try {
                JsonCheck.text(ByteSlice.of(document.key()));
                if (!document.isDelete()) {
                    check.accept(document.json());
                }
            } catch (RefusedException e) {
                refusals.add(new Refusal(document, e));
            }
        }
        return refusals;
    }

    private Consumer<ByteSlice> checkOf(TableShape shape) {
        return switch (shape.typeOf(valueColumn)) {
            case "jsonb" -> JsonCheck::jsonb;
            case "json" -> JsonCheck::json;
            default -> JsonCheck::text;
        };
    }

    private List<Refusal> tried(RowGroup run, Connection connection, TableShape shape, boolean onConflict)
            throws SQLException {
        List<Document> rows = run.documents();
        List<TrialInsert.Culprit> culprits = run.isDelete()
                ? TrialInsert.culprits(
                        connection,
                        deletes.text(shape),
                        rows.size(),
                        (trial, bound) -> deletes.bind(trial, bound, rows),
                        overrides)
                : TrialInsert.culprits(
                        connection,
                        inserts.text(shape, onConflict, Optional.empty()),
                        rows.size(),
                        (trial, bound) -> inserts.bind(trial, bound, rows),
                        overrides);
        return culprits.stream()
                .map(culprit -> new Refusal(rows.get(culprit.row()), culprit.refusal()))
                .toList();
    }

    /** The row that a failed COPY names: the line in its error is the row. */
    private static Optional<Refusal> named(RowGroup run, SQLException rejection) {
        if (!(rejection instanceof PSQLException e) || e.getServerErrorMessage() == null) {
            return Optional.empty();
        }
        String where = e.getServerErrorMessage().getWhere();
        Matcher line = COPY_LINE.matcher(where == null ? "" : where);
        int row = line.find() ? Integer.parseInt(line.group(1)) : 0;
        return row >= 1 && row <= run.documents().size()
                ? Optional.of(new Refusal(run.documents().get(row - 1), PostgresFailures.refusal(rejection)))
                : Optional.empty();
    }
}
