package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverride;
import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.TableLocks;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Converts the error of a statement into rows at fault, or into the failure of a batch, as the failure table says. Each
 * has its codes, so that {@code Delivery} can apply overrides. One lane uses it.
 */
final class BatchFailures {
    private static final String SQLSTATE = "sqlstate";

    /** Errors that no other row can heal: NULL in a column that takes none, a CHECK of the row, a type that does not fit. */
    private static final Set<String> OF_ONE_ROW =
            Set.of(SqlState.NOT_NULL_VIOLATION, SqlState.CHECK_VIOLATION, SqlState.DATATYPE_MISMATCH);

    /** Data exceptions, and values beyond the server's limits. */
    private static final Set<String> CLASSES_OF_ONE_ROW = Set.of("22", "54");

    private final AbortableConnection attempt;
    private final KnownTables tables;
    private final PoisonRowFinder poison;
    private final Predicate<Document> isNamedByRecord;
    private final ErrorOverrides overrides;
    private final Optional<OffsetFence> fence;

    /**
     * For one lane.
     *
     * @param isNamedByRecord whether a document's table depends on more than its topic
     * @param overrides decide for which errors the rows at fault are looked for
     * @param fence moves offsets together with the rows, which must stay in order then; empty if nothing does
     */
    BatchFailures(
            AbortableConnection attempt,
            KnownTables tables,
            PoisonRowFinder poison,
            Predicate<Document> isNamedByRecord,
            ErrorOverrides overrides,
            Optional<OffsetFence> fence) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.fence = requireNonNull(fence, "fence");
        this.isNamedByRecord = requireNonNull(isNamedByRecord, "isNamedByRecord");
        this.attempt = requireNonNull(attempt, "attempt");
        this.tables = requireNonNull(tables, "tables");
        this.poison = requireNonNull(poison, "poison");
    }

    /** Converts an error of a statement that handles only offsets. */
    WriteException ofOffsets(SQLException e) {
        endConnections(e);
        return WriteException.ofOffsets(PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e)
                .coded(PostgresFailures.codesOf(e), List.of());
    }

    /**
     * Whether an error is not about a single group: the server, or another transaction, ended the whole attempt, or the
     * offsets are locked.
     */
    boolean endsAttempt(SQLException e) {
        Failure failure = PostgresFailures.classify(e);
        return failure == Failure.BUSY
                || failure == Failure.TOO_MUCH
                || PostgresFailures.endsConnections(e)
                || areOffsetsLocked(e);
    }

    private boolean areOffsetsLocked(SQLException e) {
        return fence.filter(moving -> moving.isLocked(e)).isPresent();
    }

    /**
     * Closes the connections if the server may have changed, and forgets the tables, because another server may have
     * other ones. The same server has the same tables, unless an error of a table shows otherwise. An answer that is late
     * says nothing about other connections, and the watch for the primary asks the host.
     */
    private void endConnections(SQLException e) {
        if (PostgresFailures.isLate(e)) {
            Optional<String> unused = attempt.endLate(); // or its locks hold up the next attempt
        } else if (PostgresFailures.endsConnections(e)) {
            tables.forgetAll();
            attempt.evictAll(PostgresFailures.describe(e));
        }
    }

    /** Converts an error that came before any row was sent. No record is at fault. */
    WriteException withoutRows(SQLException e, List<Document> unwritten) {
        return of(PostgresFailures.classifyWithoutRows(e), e, e, unwritten);
    }

    /** Converts an error that names no group of rows. */
    WriteException of(SQLException e, List<Document> unwritten) {
        Failure failure = PostgresFailures.classify(e);
        return of(failure == Failure.DESTINATION ? PostgresFailures.classifyWithoutRows(e) : failure, e, e, unwritten);
    }

    /**
     * Converts the error of a group. Before a record is refused or the task fails, the table's shape is read again.
     *
     * @param unwritten the group's rows, and those that come after it
     * @return the rows at fault, if no other rows are left
     * @throws WriteException in all other cases; it names the rows at fault if it can
     */
    List<Refusal> refusals(Connection connection, RowGroupException e, List<Document> unwritten) throws WriteException {
        if (areOffsetsLocked(e.error())) {
            throw of(Failure.BUSY, e.error(), e.error(), unwritten);
        }
        Failure standard =
                e.isLookUp() ? PostgresFailures.classifyWithoutRows(e.error()) : PostgresFailures.classify(e.error());
        Optional<ErrorOverride> override = overrides.of(PostgresFailures.codesOf(e.error()));
        Optional<Action> wanted = override.map(ErrorOverride::action);
        boolean isKept = override.filter(each -> each.action() != Action.RETRY || each.endsRecords())
                .isEmpty();
        if (isKept && PostgresFailures.classify(e.error()) == Failure.DESTINATION) {
            throw ofTable(connection, e, unwritten);
        }
        Optional<String> slow = isKept && isApart(e.group()) ? slowness(e) : Optional.empty();
        if (slow.isPresent()) {
            WriteException ofTable = ofTable(e, unwritten, Map.of(e.group().table(), slow.get()));
            throw tables.hasOthers(e.group().table()) ? ofTable.slow() : ofTable;
        }
        List<Refusal> ofValues = override.isEmpty() ? ofValues(connection, e, unwritten) : List.of();
        if (!ofValues.isEmpty()) {
            return atFault(ofValues, Failure.REJECTED, e, unwritten);
        }
        boolean isOfRows = standard == Failure.REJECTED || standard == Failure.FATAL;
        if (!isOfRows && isKept) {
            tables.forget(e.group().table()); // a transaction that holds a lock may be altering it
            throw of(standard, e.error(), e.error(), unwritten);
        }
        List<Refusal> culprits;
        boolean isUnusable;
        try {
            requireUnaltered(connection, e, unwritten);
            isUnusable = nameUnusableTable(connection, e);
            culprits = isUnusable ? all(e) : culprits(connection, e.inOrderOf(unwritten), standard, wanted);
            if (!isUnusable && !culprits.isEmpty()) {
                requireUnaltered(connection, e, unwritten); // if it was altered meanwhile, each row was at fault
            }
        } catch (SQLException aborted) {
            if (TableShape.saysAltered(aborted)) { // while the rows were tried
                tables.forget(e.group().table());
                throw of(Failure.BUSY, aborted, aborted, unwritten);
            }
            throw standard == Failure.REJECTED || wanted.isPresent()
                    ? of(aborted, unwritten)
                    : of(standard, e.error(), e.error(), unwritten);
        }
        if (!isUnusable && unwritten.size() > e.group().documents().size()) {
            List<Refusal> ofThemselves = culprits.stream()
                    .filter(each -> !dependsOnOthers(stateOf(each)))
                    .toList();
            if (!isRetried(wanted)) {
                culprits = ofThemselves;
            } else if (ofThemselves.isEmpty() && isHeldUpByItself(e, unwritten)) {
                RefusedException reason = withPlace(PostgresFailures.refusal(e.error()), unwritten.get(0), e);
                throw WriteException.ofAll(
                        Failure.REJECTED, PostgresFailures.describe(e.error()), reason, unwritten); // to be halved
            }
        }
        if (culprits.isEmpty()) {
            throw withoutCulprits(connection, e, standard, unwritten);
        }
        if (wanted.isPresent()) {
            tables.forget(e.group().table()); // it may be altered until the next attempt
        }
        return atFault(culprits, isUnusable ? Failure.REJECTED : standard, e, unwritten);
    }

    /**
     * The rows whose values were at fault, though the error said that the server lacks something. The plainest form of the
     * statement failed too.
     */
    private List<Refusal> ofValues(Connection connection, RowGroupException e, List<Document> unwritten)
            throws WriteException {
        if (e.isLookUp() || !PostgresFailures.mayBeOfValue(e.error())) {
            return List.of();
        }
        try {
            requireUnaltered(connection, e, unwritten);
            TableShape shape = tables.known(connection, e.group().table()).shape();
            List<Refusal> found = poison.ofValues(
                    e.inOrderOf(unwritten).group(), connection, shape, e.error().getSQLState());
            return found.stream()
                    .map(refusal -> new Refusal(refusal.document(), withPlace(refusal.reason(), refusal.document(), e)))
                    .toList();
        } catch (SQLException failed) {
            return List.of(); // the first error counts
        }
    }

    /** Names the rows at fault, which is an error if others are left. */
    private static List<Refusal> atFault(
            List<Refusal> culprits, Failure failure, RowGroupException e, List<Document> unwritten)
            throws WriteException {
        List<Refusal> named =
                culprits.stream().map(each -> judged(each, e, failure)).toList();
        Set<Document> atFault = named.stream().map(Refusal::document).collect(Collectors.toSet());
        List<Document> rest =
                unwritten.stream().filter(each -> !atFault.contains(each)).toList();
        if (!rest.isEmpty()) {
            throw WriteException.ofSome(
                    Failure.REJECTED, PostgresFailures.describe(e.error()), e.error(), rest, named, Optional.empty());
        }
        return named;
    }

    /** Whether its table is to be tried apart. The rows of a lane's only table are sent in halves first. */
    private boolean isApart(RowGroup group) {
        return group.documents().size() == 1 || tables.hasOthers(group.table());
    }

    /**
     * Why the rows of a group take too long although the server is well: it has ended their statement, or still ran it
     * when it was asked. Empty if there is another reason, or if nobody knows: the whole server may hang.
     */
    private Optional<String> slowness(RowGroupException e) {
        if (e.isLookUp()) {
            return Optional.empty();
        }
        String message = PostgresFailures.describe(e.error());
        if (PostgresFailures.isLate(e.error())) {
            return attempt.endLate().map(session -> message + ": " + session);
        }
        return PostgresFailures.isTimedOut(e.error()) ? Optional.of(message) : Optional.empty();
    }

    private static boolean isRetried(Optional<Action> wanted) {
        return wanted.filter(Action.RETRY::equals).isPresent();
    }

    /**
     * Whether another row may make room for this one, be what it refers to, or be what a trigger looks for: a row of
     * another group, which the trial has not written. The pipeline then halves the batch in the order of its records.
     */
    private static boolean dependsOnOthers(String state) {
        return !OF_ONE_ROW.contains(state)
                && !CLASSES_OF_ONE_ROW.contains(state.substring(0, Math.min(2, state.length())));
    }

    /** Whether other rows of the table wait behind the group, of which one may be what it needs. */
    private static boolean isHeldUpByItself(RowGroupException e, List<Document> unwritten) {
        String table = e.group().table();
        return unwritten.stream()
                        .filter(each -> each.destination().equals(table))
                        .count()
                > e.group().documents().size();
    }

    private static String stateOf(Refusal culprit) {
        return String.valueOf(culprit.reason().facts().getOrDefault(SQLSTATE, ""));
    }

    private void requireUnaltered(Connection connection, RowGroupException e, List<Document> unwritten)
            throws SQLException, WriteException {
        if (tables.isAltered(connection, e)) {
            throw WriteException.ofAll(
                    Failure.BUSY, "the table has been altered: " + PostgresFailures.describe(e.error()), e, unwritten);
        }
    }

    /** The server takes nothing for the group's table now, nor for others that are locked. */
    private WriteException ofTable(Connection connection, RowGroupException e, List<Document> unwritten) {
        tables.forget(e.group().table()); // a transaction that holds a lock may be altering it
        String message = PostgresFailures.describe(e.error());
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put(e.group().table(), message);
        if (PostgresFailures.isLockTimeOut(e.error())) {
            Set<String> unsent = unwritten.stream().map(Document::destination).collect(Collectors.toSet());
            TableLocks.holders(connection, unsent)
                    .forEach((table, holder) -> reasons.put(table, message + ": " + holder));
            if (e.isLookUp()) { // columns could not be added
                TableLocks.user(connection, e.group().table())
                        .ifPresent(user -> reasons.put(e.group().table(), message + ": " + user));
            } else if (reasons.get(e.group().table()).equals(message)) { // a row is locked, not the table
                TableLocks.writer(connection, e.group().table())
                        .ifPresent(writer -> reasons.put(e.group().table(), message + ": " + writer));
            }
        }
        return ofTable(e, unwritten, reasons);
    }

    private WriteException ofTable(RowGroupException e, List<Document> unwritten, Map<String, String> reasons) {
        return of(Failure.DESTINATION, e.error(), e.error(), unwritten)
                .as(Failure.DESTINATION, PostgresFailures.describe(e.error()), reasons);
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
                || (PostgresFailures.isOfDestination(e.error()) && !tables.isWritable(connection, e.group()));
        boolean isAlone = e.group().documents().size() == 1;
        // A statement that moves offsets too may have failed at the offsets.
        return isOfTable || (isAlone && fence.isEmpty()) ? all(e) : refusalsIn(connection, e);
    }

    /** The failure of a group in which no row is known to be at fault: the pipeline may halve the batch. */
    private WriteException withoutCulprits(
            Connection connection, RowGroupException e, Failure standard, List<Document> unwritten) {
        List<Document> suspects = unwritten.size() == 1 ? List.of() : e.group().documents();
        if (standard == Failure.DESTINATION) {
            return ofTable(connection, e, unwritten).coded(PostgresFailures.codesOf(e.error()), suspects);
        }
        RefusedException reason = withPlace(PostgresFailures.refusal(e.error()), unwritten.get(0), e);
        return of(standard, e.error(), standard == Failure.REJECTED ? reason : e.error(), unwritten)
                .coded(PostgresFailures.codesOf(e.error()), suspects);
    }

    /**
     * A row at fault, with what its own error means.
     *
     * @param ofGroup what the error of the whole group means
     */
    private static Refusal judged(Refusal culprit, RowGroupException e, Failure ofGroup) {
        String state = stateOf(culprit);
        if (state.isEmpty()) {
            return culprit; // the server did not refuse it: the statement itself did
        }
        Failure failure = state.equals(e.error().getSQLState()) ? ofGroup : PostgresFailures.classify(state);
        return new Refusal(culprit.document(), failure, SqlStateCodes.of(state), culprit.reason());
    }

    /** Whether the records name a table that is missing or that we may not write to. */
    private boolean nameUnusableTable(Connection connection, RowGroupException e) throws SQLException {
        if (!e.group().documents().stream().allMatch(isNamedByRecord)) {
            return false;
        }
        boolean isOfDestination = PostgresFailures.isOfDestination(e.error());
        return e.isLookUp()
                ? isOfDestination || PostgresFailures.classify(e.error()) == Failure.REJECTED
                : isOfDestination && !tables.isWritable(connection, e.group());
    }

    private List<Refusal> all(RowGroupException e) {
        tables.forget(e.group().table()); // the table may exist when the next record comes
        return e.group().documents().stream()
                .map(each -> new Refusal(each, withPlace(PostgresFailures.refusal(e.error()), each, e)))
                .toList();
    }

    private List<Refusal> refusalsIn(Connection connection, RowGroupException e) throws SQLException {
        RowGroup group = e.group();
        TableShape shape = tables.known(connection, group.table()).shape();
        boolean isConfirmed = fence.isPresent()
                && overrides.of(PostgresFailures.codesOf(e.error())).isPresent();
        List<Refusal> found =
                isConfirmed ? poison.confirmed(group, connection, shape) : poison.find(group, connection, shape);
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
        boolean isCommitted = failure == Failure.TOO_MUCH && PostgresFailures.isLate(e) && attempt.isReplicating();
        String message = PostgresFailures.describe(e)
                + (isCommitted ? ": the server has committed it, and waits for a synchronous standby" : "")
                + (areOffsetsLocked(e) ? ": offsets.table, or a row of it, is locked" : "");
        return WriteException.ofAll(isCommitted ? Failure.TRANSIENT : failure, message, cause, unwritten)
                .coded(PostgresFailures.codesOf(e), List.of());
    }
}
