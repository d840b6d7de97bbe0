package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Turns what the server said of a statement into refused rows, or into the failure of a batch. One lane's. */
final class BatchFailures {
    private final AbortableConnection attempt;
    private final RowGroupWriter groups;
    private final Predicate<Document> isNamedByRecord;

    /**
     * Of one lane.
     *
     * @param isNamedByRecord whether a document's table depends on more than its topic
     */
    BatchFailures(AbortableConnection attempt, RowGroupWriter groups, Predicate<Document> isNamedByRecord) {
        this.isNamedByRecord = requireNonNull(isNamedByRecord, "isNamedByRecord");
        this.attempt = requireNonNull(attempt, "attempt");
        this.groups = requireNonNull(groups, "groups");
    }

    /** An error of a statement about offsets alone. */
    WriteException ofOffsets(SQLException e) {
        endConnections(e);
        return WriteException.ofOffsets(PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e);
    }

    /** Whether an error says nothing of a single group: the server, or another transaction, ended the whole attempt. */
    static boolean isOfAttempt(SQLException e) {
        Failure failure = PostgresFailures.classify(e);
        return failure == Failure.BUSY || failure == Failure.TOO_MUCH || PostgresFailures.endsConnections(e);
    }

    /** Another server may have other tables; a server that stays has the same, or an error of a table says otherwise. */
    private void endConnections(SQLException e) {
        if (PostgresFailures.endsConnections(e)) {
            groups.forgetShapes();
            attempt.evictAll(PostgresFailures.describe(e));
        }
    }

    /** An error before any row was sent: no record is at fault. */
    WriteException withoutRows(SQLException e, List<Document> unwritten) {
        return of(PostgresFailures.classifyWithoutRows(e), e, e, unwritten);
    }

    /** An error that names no group of rows. */
    WriteException of(SQLException e, List<Document> unwritten) {
        return of(PostgresFailures.classify(e), e, e, unwritten);
    }

    /**
     * A group failed. What was read once of its table is read again before a record is refused or the task fails.
     *
     * @param unwritten its rows, and those that come after it
     * @return the rows at fault, when they are all that is left
     * @throws WriteException otherwise; it names the rows at fault if it can
     */
    List<Refusal> refusals(Connection connection, RowGroupException e, List<Document> unwritten) throws WriteException {
        Failure failure =
                e.isLookUp() ? PostgresFailures.classifyWithoutRows(e.error()) : PostgresFailures.classify(e.error());
        if (failure != Failure.REJECTED && failure != Failure.FATAL) {
            groups.forgetShape(e.group().table()); // who holds a lock may be altering it
            throw of(failure, e.error(), e.error(), unwritten);
        }
        List<Refusal> refusals;
        try {
            if (groups.isAltered(connection, e.group().table())) {
                throw WriteException.ofAll(
                        Failure.BUSY,
                        "the table has been altered: " + PostgresFailures.describe(e.error()),
                        e,
                        unwritten);
            }
            refusals = isMisled(connection, e)
                    ? all(e)
                    : failure == Failure.REJECTED ? refusalsIn(connection, e) : List.of();
        } catch (SQLException aborted) {
            throw failure == Failure.REJECTED ? of(aborted, unwritten) : of(failure, e.error(), e.error(), unwritten);
        }
        if (refusals.isEmpty()) {
            RefusedException reason = withPlace(PostgresFailures.refusal(e.error()), unwritten.get(0), e);
            throw of(failure, e.error(), failure == Failure.REJECTED ? reason : e.error(), unwritten);
        }
        Set<Document> refused = refusals.stream().map(Refusal::document).collect(Collectors.toSet());
        List<Document> rest =
                unwritten.stream().filter(each -> !refused.contains(each)).toList();
        if (!rest.isEmpty()) {
            throw WriteException.ofSome(
                    Failure.REJECTED, PostgresFailures.describe(e.error()), rest, refusals, Optional.empty());
        }
        return refusals;
    }

    /** Whether there is no such table, or none that we may write to, and the records themselves name it. */
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
        groups.forgetShape(e.group().table()); // it may be there when the next record comes
        return e.group().documents().stream()
                .map(each -> new Refusal(each, withPlace(PostgresFailures.refusal(e.error()), each, e)))
                .toList();
    }

    private List<Refusal> refusalsIn(Connection connection, RowGroupException e) throws SQLException {
        RowGroup group = e.group();
        return groups
                .poison()
                .in(group, e.error(), connection, groups.shapeOf(connection, group.table()), groups.resolvesConflicts())
                .stream()
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
