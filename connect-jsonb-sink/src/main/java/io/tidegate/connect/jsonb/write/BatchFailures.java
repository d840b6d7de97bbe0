package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Converts the error of a statement into refused rows, or into the failure of a batch. One lane uses it. */
final class BatchFailures {
    private final AbortableConnection attempt;
    private final RowGroupWriter groups;
    private final Predicate<Document> isNamedByRecord;

    /**
     * For one lane.
     *
     * @param isNamedByRecord whether a document's table depends on more than its topic
     */
    BatchFailures(AbortableConnection attempt, RowGroupWriter groups, Predicate<Document> isNamedByRecord) {
        this.isNamedByRecord = requireNonNull(isNamedByRecord, "isNamedByRecord");
        this.attempt = requireNonNull(attempt, "attempt");
        this.groups = requireNonNull(groups, "groups");
    }

    /** Converts an error of a statement that handles only offsets. */
    WriteException ofOffsets(SQLException e) {
        endConnections(e);
        return WriteException.ofOffsets(PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e);
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
        return of(PostgresFailures.classifyWithoutRows(e), e, e, unwritten);
    }

    /** Converts an error that names no group of rows. */
    WriteException of(SQLException e, List<Document> unwritten) {
        return of(PostgresFailures.classify(e), e, e, unwritten);
    }

    /**
     * Converts the error of a group. Before a record is refused or the task fails, the table's shape is read again.
     *
     * @param unwritten the group's rows, and those that come after it
     * @return the rows at fault, if no other rows are left
     * @throws WriteException in all other cases; it names the rows at fault if it can
     */
    List<Refusal> refusals(Connection connection, RowGroupException e, List<Document> unwritten) throws WriteException {
        Failure failure =
                e.isLookUp() ? PostgresFailures.classifyWithoutRows(e.error()) : PostgresFailures.classify(e.error());
        if (failure != Failure.REJECTED && failure != Failure.FATAL) {
            groups.forgetShape(e.group().table()); // a transaction that holds a lock may be altering it
            throw of(failure, e.error(), e.error(), unwritten);
        }
        List<Refusal> refusals;
        try {
            if (groups.isAltered(connection, e)) {
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
            if (TableShape.saysAltered(aborted)) { // while the rows were tried
                groups.forgetShape(e.group().table());
                throw of(Failure.BUSY, aborted, aborted, unwritten);
            }
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
