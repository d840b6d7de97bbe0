package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.override.LaneOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Converts the error of a statement into refused rows, or into the failure of a batch, as the failure table and its
 * overrides say. One lane uses it.
 */
final class BatchFailures {
    /** What an error of a statement that handles only offsets meets. */
    private static final Object OFFSETS = new Object();

    private static final String SQLSTATE = "sqlstate";

    private static final Map<Action, Failure> MEANINGS =
            Map.of(Action.RETRY, Failure.TRANSIENT, Action.REFUSE, Failure.REJECTED, Action.FAIL, Failure.FATAL);

    private final AbortableConnection attempt;
    private final RowGroupWriter groups;
    private final Predicate<Document> isNamedByRecord;
    private final LaneOverrides overrides;
    private final boolean keepsOffsets;

    /**
     * For one lane.
     *
     * @param isNamedByRecord whether a document's table depends on more than its topic
     * @param keepsOffsets whether statements also move offsets, which must stay in order
     */
    BatchFailures(
            AbortableConnection attempt,
            RowGroupWriter groups,
            Predicate<Document> isNamedByRecord,
            LaneOverrides overrides,
            boolean keepsOffsets) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.keepsOffsets = keepsOffsets;
        this.isNamedByRecord = requireNonNull(isNamedByRecord, "isNamedByRecord");
        this.attempt = requireNonNull(attempt, "attempt");
        this.groups = requireNonNull(groups, "groups");
    }

    /** Converts an error of a statement that handles only offsets. */
    WriteException ofOffsets(SQLException e) {
        endConnections(e);
        return WriteException.ofOffsets(
                overridden(PostgresFailures.classifyWithoutRows(e), e, OFFSETS), PostgresFailures.describe(e), e);
    }

    /** A statement that handles only offsets succeeded. */
    void offsetsAnswered() {
        overrides.passed(OFFSETS);
    }

    /** What an error means that is no single record's fault, so that none can be refused because of it. */
    private Failure overridden(Failure standard, SQLException e, Object met) {
        return switch (actionOn(met, e).orElse(Action.REFUSE)) {
            case RETRY -> standard == Failure.FATAL ? Failure.TRANSIENT : standard;
            case FAIL -> Failure.FATAL;
            case REFUSE -> standard;
        };
    }

    private Optional<Action> actionOn(Object met, SQLException e) {
        return overrides.now(met, codesOf(e), PostgresFailures.describe(e));
    }

    private static List<String> codesOf(SQLException e) {
        return e.getSQLState() == null ? List.of() : SqlStateCodes.of(e.getSQLState());
    }

    /** Whether an error is not about a single group: the server, or another transaction, ended the whole attempt. */
    static boolean isOfAttempt(SQLException e) {
        Failure failure = PostgresFailures.classify(e);
        return failure == Failure.BUSY || failure == Failure.TOO_MUCH || PostgresFailures.endsConnections(e);
    }

    /**
     * Closes the connections if the server may have changed, and forgets the tables, because another server may have
     * other ones. The same server has the same tables, unless an error of a table shows otherwise.
     */
    private void endConnections(SQLException e) {
        if (PostgresFailures.endsConnections(e)) {
            groups.forgetShapes();
            attempt.evictAll(PostgresFailures.describe(e));
        }
    }

    /** Converts an error that came before any row was sent. No record is at fault. */
    WriteException withoutRows(SQLException e, List<Document> unwritten) {
        Failure failure = overridden(PostgresFailures.classifyWithoutRows(e), e, unwritten.get(0));
        return of(failure, e, e, unwritten);
    }

    /** Converts an error that names no group of rows. */
    WriteException of(SQLException e, List<Document> unwritten) {
        return of(overridden(PostgresFailures.classify(e), e, unwritten.get(0)), e, e, unwritten);
    }

    /**
     * Converts the error of a group. Before a record is refused or the task fails, the table's shape is read again.
     *
     * @param unwritten the group's rows, and those that come after it
     * @return the rows at fault, if no other rows are left
     * @throws WriteException in all other cases; it names the rows at fault if it can
     */
    List<Refusal> refusals(Connection connection, RowGroupException e, List<Document> unwritten) throws WriteException {
        Failure standard =
                e.isLookUp() ? PostgresFailures.classifyWithoutRows(e.error()) : PostgresFailures.classify(e.error());
        Optional<Action> wanted = overrides.wanted(codesOf(e.error()));
        boolean isOfRows = standard == Failure.REJECTED || standard == Failure.FATAL;
        if (!isOfRows && wanted.filter(action -> action != Action.RETRY).isEmpty()) {
            groups.forgetShape(e.group().table()); // a transaction that holds a lock may be altering it
            throw of(standard, e.error(), e.error(), unwritten);
        }
        List<Refusal> culprits;
        boolean isMisled;
        try {
            if (groups.isAltered(connection, e)) {
                throw WriteException.ofAll(
                        Failure.BUSY,
                        "the table has been altered: " + PostgresFailures.describe(e.error()),
                        e,
                        unwritten);
            }
            isMisled = isMisled(connection, e);
            culprits = isMisled ? all(e) : culprits(connection, e, standard, wanted);
        } catch (SQLException aborted) {
            if (TableShape.saysAltered(aborted)) { // while the rows were tried
                groups.forgetShape(e.group().table());
                throw of(Failure.BUSY, aborted, aborted, unwritten);
            }
            throw standard == Failure.REJECTED || wanted.isPresent()
                    ? of(aborted, unwritten)
                    : of(standard, e.error(), e.error(), unwritten);
        }
        if (culprits.isEmpty()) {
            throw withoutCulprits(e, standard, unwritten);
        }
        List<Refusal> refusals = refused(culprits, e, isMisled ? Failure.REJECTED : standard, unwritten);
        Set<Document> refused = refusals.stream().map(Refusal::document).collect(Collectors.toSet());
        List<Document> rest =
                unwritten.stream().filter(each -> !refused.contains(each)).toList();
        if (!rest.isEmpty()) {
            throw WriteException.ofSome(
                    Failure.REJECTED, PostgresFailures.describe(e.error()), rest, refusals, Optional.empty());
        }
        return refusals;
    }

    /** The rows at fault; empty if no single one is known to be, or if none is. */
    private List<Refusal> culprits(
            Connection connection, RowGroupException e, Failure standard, Optional<Action> wanted) throws SQLException {
        if (wanted.isEmpty()) {
            return standard == Failure.REJECTED ? refusalsIn(connection, e) : List.of();
        }
        if (wanted.get() == Action.FAIL) {
            return List.of();
        }
        boolean isOfTable = e.isLookUp()
                || (PostgresFailures.isOfDestination(e.error()) && !groups.isWritable(connection, e.group()));
        boolean isAlone = e.group().documents().size() == 1;
        // A statement that moves offsets too may have failed at the offsets.
        return isOfTable || (isAlone && !keepsOffsets) ? all(e) : refusalsIn(connection, e);
    }

    /** The failure of a group in which no row is known to be at fault: the pipeline may halve the batch. */
    private WriteException withoutCulprits(RowGroupException e, Failure standard, List<Document> unwritten) {
        // Any of them may be at fault, so the time of all begins. It ends when that of the first one does.
        Optional<Action> action = e.group().documents().stream()
                .map(document -> actionOn(document, e.error()))
                .toList()
                .get(0);
        if (action.filter(Action.RETRY::equals).isPresent()) {
            return waiting(e, unwritten);
        }
        boolean isAlone = unwritten.size() == 1;
        Failure failure = action.filter(Action.FAIL::equals).isPresent()
                ? Failure.FATAL
                : action.isPresent() && !isAlone ? Failure.REJECTED : standard;
        RefusedException reason = withPlace(PostgresFailures.refusal(e.error()), unwritten.get(0), e);
        return of(failure, e.error(), failure == Failure.REJECTED ? reason : e.error(), unwritten);
    }

    /**
     * The rows to refuse now.
     *
     * @param standard what the failure table says about the group's error
     * @throws WriteException if a row must wait and none is refused, or if the task must fail
     */
    private List<Refusal> refused(
            List<Refusal> culprits, RowGroupException e, Failure standard, List<Document> unwritten)
            throws WriteException {
        List<Refusal> refused = new ArrayList<>();
        for (Refusal culprit : culprits) {
            String state = String.valueOf(culprit.reason().facts().getOrDefault(SQLSTATE, ""));
            Optional<Action> action = overrides.now(
                    culprit.document(),
                    SqlStateCodes.of(state),
                    culprit.reason().getMessage());
            Failure failure = action.isPresent()
                    ? MEANINGS.get(action.get())
                    : state.equals(e.error().getSQLState()) ? standard : PostgresFailures.classify(state);
            if (failure == Failure.REJECTED) {
                refused.add(culprit);
            } else if (failure != Failure.TRANSIENT || action.isEmpty()) {
                throw of(failure, e.error(), e.error(), unwritten);
            }
        }
        if (refused.isEmpty()) {
            throw waiting(e, unwritten);
        }
        return refused;
    }

    /** Rows that an override retries hold back their table, or the lane if it must keep the order of all offsets. */
    private WriteException waiting(RowGroupException e, List<Document> unwritten) {
        String table = e.group().table();
        groups.forgetShape(table); // it may be altered until the next attempt
        String message = PostgresFailures.describe(e.error()) + "; " + ErrorOverrides.ERROR_OVERRIDES + " retries it";
        return keepsOffsets
                ? WriteException.ofAll(Failure.TRANSIENT, message, e.error(), unwritten)
                : WriteException.ofDestinations(Map.of(table, message), message, unwritten, List.of());
    }

    /** Whether the records name a table that is missing or that we may not write to. */
    private boolean isMisled(Connection connection, RowGroupException e) throws SQLException {
        if (!e.group().documents().stream().allMatch(isNamedByRecord)) {
            return false;
        }
        boolean isOfDestination = PostgresFailures.isOfDestination(e.error());
        return e.isLookUp()
                ? isOfDestination || PostgresFailures.classify(e.error()) == Failure.REJECTED
                : isOfDestination && !groups.isWritable(connection, e.group());
    }

    private List<Refusal> all(RowGroupException e) {
        groups.forgetShape(e.group().table()); // the table may exist when the next record comes
        return e.group().documents().stream()
                .map(each -> new Refusal(each, withPlace(PostgresFailures.refusal(e.error()), each, e)))
                .toList();
    }

    private List<Refusal> refusalsIn(Connection connection, RowGroupException e) throws SQLException {
        RowGroup group = e.group();
        TableShape shape = groups.shapeOf(connection, group.table());
        PoisonRowFinder finder = groups.poison();
        boolean isConfirmed =
                keepsOffsets && overrides.wanted(codesOf(e.error())).isPresent();
        List<Refusal> found = isConfirmed
                ? finder.confirmed(group, e.error(), connection, shape, groups.resolvesConflicts())
                : finder.in(group, e.error(), connection, shape, groups.resolvesConflicts());
        return found.stream()
                .map(refusal -> new Refusal(refusal.document(), withPlace(refusal.reason(), refusal.document(), e)))
                .toList();
    }

    private static RefusedException withPlace(RefusedException reason, Document document, RowGroupException e) {
        return reason.with("table", document.destination())
                .with("statement", document.isDelete() ? "delete" : e.statement());
    }

    private WriteException of(Failure failure, SQLException e, Exception cause, List<Document> unwritten) {
        endConnections(e);
        return WriteException.ofAll(failure, PostgresFailures.describe(e), cause, unwritten);
    }
}
