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
import io.tidegate.connect.jsonb.write.TrialInsert.Culprit;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds all rows of a rejected group that are at fault, in one go. First it checks each row's text here, as JSON. If
 * all are valid, it tries the rows on the server. If it finds none, the pipeline halves the batch. One lane uses it.
 */
final class PoisonRowFinder {
    private static final Logger log = LoggerFactory.getLogger(PoisonRowFinder.class);

    /** As a regular expression behind {@code ^}. */
    private static final String ANY_STATE = ".";

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
     * The rows with a value that its type refuses with a state that otherwise says what the server lacks. Such a row fails
     * alone, and the server takes it without the values that a row can do without. Otherwise nothing shows that its index,
     * its partition or its server is not at fault.
     *
     * @return empty if the server cannot tell
     */
    List<Refusal> ofValues(RowGroup group, Connection connection, TableShape shape, String state) {
        if (!row.fields().isOn() || group.isDelete()) {
            return List.of();
        }
        try {
            List<Culprit> found = culprits(group, connection, shape, state).stream()
                    .filter(culprit -> culprit.state().equals(state))
                    .toList();
            Optional<Set<String>> needed = found.isEmpty() ? Optional.empty() : needed(connection, shape);
            if (needed.isEmpty()) {
                return List.of();
            }
            Set<Integer> alsoWithout = alsoWithout(group, found, connection, shape, needed.get());
            return IntStream.range(0, found.size())
                    .filter(i -> !alsoWithout.contains(i))
                    .mapToObj(found::get)
                    .map(culprit -> new Refusal(group.documents().get(culprit.row()), culprit.refusalOfValue()))
                    .toList();
        } catch (SQLException e) {
            log.debug("Values for {} cannot be tried one by one: {}", group.table(), PostgresFailures.describe(e));
            return List.of();
        }
    }

    /** The columns that a row needs, and those that say where it goes; empty if that cannot be told. */
    private Optional<Set<String>> needed(Connection connection, TableShape shape) throws SQLException {
        return shape.partitionColumns(connection).map(ofPartitions -> {
            Set<String> needed = new HashSet<>(ofPartitions);
            shape.fillable()
                    .filter(column -> !column.getValue().filling().takesNull())
                    .forEach(column -> needed.add(column.getKey()));
            needed.addAll(row.fieldsOfKey());
            inserts.guardingField().ifPresent(needed::add);
            return needed;
        });
    }

    /** Which of the culprits fail with only the needed columns, too, for any reason. Their other fields go nowhere. */
    private Set<Integer> alsoWithout(
            RowGroup group, List<Culprit> culprits, Connection connection, TableShape shape, Set<String> needed)
            throws SQLException {
        Set<String> left = shape.fillable()
                .map(Map.Entry::getKey)
                .filter(column -> !needed.contains(column))
                .collect(Collectors.toSet());
        Set<String> omitted = new HashSet<>(left);
        omitted.addAll(group.omitted());
        Set<String> nowhere = new HashSet<>(left);
        nowhere.addAll(shape.pending());
        List<Document> rows = culprits.stream()
                .map(culprit -> group.documents().get(culprit.row()))
                .toList();
        boolean areAlike =
                row.columns().isEmpty() && shape.fillable().allMatch(column -> omitted.contains(column.getKey()));
        RowGroup bare = new RowGroup(group.table(), false, omitted, areAlike ? rows.subList(0, 1) : rows);
        Set<Integer> failed = culprits(bare, connection, shape.withPending(nowhere), ANY_STATE).stream()
                .map(Culprit::row)
                .collect(Collectors.toSet());
        return areAlike && !failed.isEmpty()
                ? IntStream.range(0, rows.size()).boxed().collect(Collectors.toSet())
                : failed;
    }

    private List<Culprit> culprits(RowGroup group, Connection connection, TableShape shape, String state)
            throws SQLException {
        JointStatement statement = new JointStatement();
        inserts.addTo(statement, group.shape(shape), group.documents(), inserts.isResolving());
        return TrialInsert.culprits(connection, statement, group.documents().size(), overrides, state);
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
