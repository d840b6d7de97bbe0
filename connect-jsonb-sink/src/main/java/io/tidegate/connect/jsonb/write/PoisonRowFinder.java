package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds all rows of a rejected group that are at fault, in one go. First it checks each row's text here, as JSON. If
 * all are valid, it tries the rows on the server. If it finds none, the pipeline halves the batch. One lane uses it.
 */
final class PoisonRowFinder {
    private static final Logger log = LoggerFactory.getLogger(PoisonRowFinder.class);

    private final RowSettings row;
    private final UnnestInsert inserts;
    private final RowDelete deletes;
    private final ErrorOverrides overrides;

    /** For the rows of one lane. */
    PoisonRowFinder(RowSettings row, UnnestInsert inserts, RowDelete deletes, ErrorOverrides overrides) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.row = requireNonNull(row, "row");
        this.inserts = requireNonNull(inserts, "inserts");
        this.deletes = requireNonNull(deletes, "deletes");
    }

    /**
     * The rows at fault.
     *
     * @return empty if no row was found; otherwise at least one, each with its reason
     * @throws SQLException if another transaction aborted the trial or altered the table; the whole batch is then
     *     written again
     */
    List<Refusal> find(RowGroup group, Connection connection, TableShape shape) throws SQLException {
        List<Refusal> unreadable = unreadable(group, shape);
        if (!unreadable.isEmpty() || group.documents().size() == 1) {
            return unreadable;
        }
        return confirmed(group, connection, shape);
    }

    /**
     * As {@link #find}, but it asks the server about a single row, too: its statement may have failed for another reason
     * than the row.
     */
    List<Refusal> confirmed(RowGroup group, Connection connection, TableShape shape) throws SQLException {
        return confirmed(
                group,
                connection,
                shape,
                inserts.isResolving() || shape.keyIndex().isPresent());
    }

    private List<Refusal> confirmed(RowGroup group, Connection connection, TableShape shape, boolean resolves)
            throws SQLException {
        try {
            return tried(group, connection, shape, resolves);
        } catch (SQLException e) {
            if (resolves && !inserts.isResolving() && SqlState.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                return confirmed(group, connection, shape, false); // the role may only insert
            }
            if (PostgresFailures.isAborted(e) || TableShape.saysAltered(e)) {
                throw e;
            }
            log.debug("Rows of {} cannot be tried one by one: {}", group.table(), PostgresFailures.describe(e));
            return List.of();
        }
    }

    private List<Refusal> unreadable(RowGroup group, TableShape shape) {
        Consumer<Document> check = checkOf(shape);
        List<Refusal> refusals = new ArrayList<>();
        for (Document document : group.documents()) {
            try {
                JsonCheck.text(ByteSlice.of(document.key()));
                if (!document.isDelete()) {
                    check.accept(document);
                }
            } catch (RefusedException e) {
                refusals.add(new Refusal(document, e));
            }
        }
        return refusals;
    }

    private Consumer<Document> checkOf(TableShape shape) {
        if (row.fields().isOn()) {
            return document -> {
                JsonCheck.json(document.json());
                inserts.requireFields(shape, document);
            };
        }
        return switch (shape.typeOf(row.valueColumn())) {
            case "jsonb" -> document -> JsonCheck.jsonb(document.json());
            case "json" -> document -> JsonCheck.json(document.json());
            default -> document -> JsonCheck.text(document.json());
        };
    }

    /**
     * The rows with a value that its type refuses with a state that otherwise names what the server lacks. The server casts
     * the values without writing them, so no index, trigger or partition can be at fault.
     *
     * @return empty if the server cannot tell
     */
    List<Refusal> ofValues(RowGroup group, Connection connection, TableShape shape, String state) {
        List<Document> rows = group.documents();
        if (!row.fields().isOn() || group.isDelete()) {
            return List.of();
        }
        try {
            JointStatement statement = new JointStatement();
            inserts.addValuesTo(statement, group.shape(shape), rows);
            return TrialInsert.culprits(connection, statement, rows.size(), overrides, state).stream()
                    .filter(culprit -> culprit.state().equals(state))
                    .map(culprit -> new Refusal(rows.get(culprit.row()), culprit.refusalOfValue()))
                    .toList();
        } catch (SQLException e) {
            log.debug("Values for {} cannot be tried one by one: {}", group.table(), PostgresFailures.describe(e));
            return List.of();
        }
    }

    private List<Refusal> tried(RowGroup group, Connection connection, TableShape shape, boolean resolves)
            throws SQLException {
        List<Document> rows = group.documents();
        JointStatement statement = new JointStatement();
        if (group.isDelete()) {
            deletes.addTo(statement, shape, rows);
        } else {
            inserts.addTo(statement, group.shape(shape), rows, resolves);
        }
        return TrialInsert.culprits(connection, statement, rows.size(), overrides, "").stream()
                .map(culprit -> new Refusal(rows.get(culprit.row()), culprit.refusal()))
                .toList();
    }
}
