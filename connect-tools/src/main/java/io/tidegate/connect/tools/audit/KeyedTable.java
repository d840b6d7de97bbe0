package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.tools.command.ToolException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * A table whose rows are identified by a key that several records may have. The sink's own writer inserts, updates and
 * deletes all records in a temporary table with the same key. The server then compares what is left there with the
 * table. A row that differs although a record that came later explains it is no finding. One thread uses it.
 */
final class KeyedTable implements TableAudit {
    private final PostgresSession session;
    private final String table;
    private final TableShape shape;
    private final RowSettings row;
    private final InsertSettings insert;
    private final Scope scope;
    private final Findings findings;
    private final boolean isRepairing;
    private final List<String> key; // quoted
    private final ExpectedRows expected;
    private final ExpectedRows deleted;
    private final Set<TopicPartition> partitions = new HashSet<>();

    KeyedTable(
            PostgresSession session,
            String table,
            TableShape shape,
            RowSettings row,
            InsertSettings insert,
            Scope scope,
            Findings findings,
            boolean isRepairing)
            throws SQLException {
        this.session = requireNonNull(session, "session");
        this.table = requireNonNull(table, "table");
        this.shape = requireNonNull(shape, "shape");
        this.row = requireNonNull(row, "row");
        this.insert = requireNonNull(insert, "insert");
        this.scope = requireNonNull(scope, "scope");
        this.findings = requireNonNull(findings, "findings");
        this.isRepairing = isRepairing;
        this.key = row.keyColumns().stream().map(Column::quoted).toList();
        this.expected = ExpectedRows.keyed(session, table, row, insert);
        this.deleted = ExpectedRows.log(session, table, row);
    }

    @Override
    public void expect(List<Document> documents) throws ToolException, InterruptedException {
        partitions.add(documents.get(0).progress().partition());
        long refused = expected.write(documents);
        findings.refused(refused);
        findings.compared(documents.size() - refused);
        List<Document> deletions = documents.stream().filter(Document::isDelete).toList();
        long unused = deleted.write(deletions);
    }

    @Override
    public void ends(TopicPartition partition, long logStart) {
        // A later partition may have records of the same keys.
    }

    /** Whether records of one key may be in several partitions, and nothing says which of them is the newest. */
    private boolean isOrderUnknown() {
        long topics = partitions.stream().map(TopicPartition::topic).distinct().count();
        boolean isSpread = topics > 1 || (row.keyMode() == KeyMode.RECORD_VALUE && partitions.size() > 1);
        return isSpread && !insert.guard().isField() && !insert.guard().isSourcePosition();
    }

    /** Whether the records that Kafka still has say what a row is, or only that there is one. */
    private boolean isContentKnown() {
        if (isOrderUnknown()) {
            return false;
        }
        boolean isLatestEnough = insert.mode() == InsertMode.UPSERT
                && !insert.guard().isField()
                && !insert.guard().isSourcePosition();
        return isLatestEnough || scope.isComplete();
    }

    /** Whether a row that no record in Kafka has the key of should not be there. */
    private boolean isEveryKeyKnown() {
        return scope.stretches().values().stream()
                .allMatch(stretch -> stretch.from() == 0
                        && (!stretch.isCompacted() || (insert.deletes() && insert.mode() == InsertMode.UPSERT)));
    }

    @Override
    public void finish(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException {
        sayWhatIsUnknown();
        if (isOrderUnknown() && insert.deletes()) {
            findings.unknown("records of keys that several partitions may write and delete", findings.compared());
            return;
        }
        session.execute("ANALYZE " + expected.name());
        session.execute("ANALYZE " + deleted.name());
        String found = session.newTable("found");
        session.execute("CREATE TEMPORARY TABLE " + found.substring("pg_temp.".length()) + " AS " + differences());
        if (session.number("SELECT count(*) FROM " + found) == 0) {
            return;
        }
        ExpectedRows later = ExpectedRows.log(session, table, row);
        readInto(later, newer);
        explain(found, later);
        report(found);
        if (isRepairing && isContentKnown()) {
            repair(found, later, newer);
        }
    }

    private void sayWhatIsUnknown() {
        if (isOrderUnknown()) {
            findings.note(table + ": records of one key may be in several partitions, and nothing says which of them"
                    + " is the newest. So only whether a row exists is compared; stale.write.guard would tell");
        } else if (!isContentKnown()) {
            findings.note(
                    table + ": a row is made of all records of its key, and Kafka no longer has, or the audit does"
                            + " not read, the oldest ones. So only whether a row exists is compared");
        }
        if (!isEveryKeyKnown()) {
            findings.note(table + ": rows whose key no record that was read has are not compared, because their records"
                    + " may be older");
        }
    }

    private void readInto(ExpectedRows later, StoreAudit.Newer newer) throws ToolException, InterruptedException {
        newer.read(documents -> {
            long unused = later.write(documents.stream()
                    .filter(document -> document.destination().equals(table))
                    .toList());
        });
    }

    /** Takes out what a record explains that the sink may have written since. */
    private void explain(String found, ExpectedRows later) throws SQLException {
        findings.inFlight(session.execute(
                "DELETE FROM " + found + " AS f USING " + later.name() + " AS n WHERE " + isSameKey("f", "n")));
    }

    private String isSameKey(String one, String other) {
        return key.stream()
                .map(column -> one + '.' + column + " = " + other + '.' + column)
                .collect(Collectors.joining(" AND "));
    }

    private List<String> compared() {
        return row.columns().stream()
                .filter(column -> !key.contains(column.quoted()))
                .filter(column -> !insert.skipsUnchanged() || column.input() == RowField.VALUE)
                .map(Column::name)
                .toList();
    }

    private String keyOf(String alias) {
        return key.stream().map(column -> alias + '.' + column).collect(Collectors.joining(", "));
    }

    private static String coordinates(ExpectedRows rows, String alias) {
        return alias + '.' + rows.column(RowField.TOPIC) + "::text AS topic, " + alias + '.'
                + rows.column(RowField.PARTITION) + "::int AS partition, " + alias + '.'
                + rows.column(RowField.OFFSET) + "::bigint AS record_offset, " + alias + '.'
                + rows.column(RowField.RECORD_KEY) + "::text AS record_key";
    }

    private String differences() {
        String isAbsent = "d." + key.get(0) + " IS NULL";
        String isDifferent = isContentKnown() ? " OR NOT " + RowHash.isSame(shape, "d", "e", compared()) : "";
        String notExpected = " NOT EXISTS (SELECT FROM " + expected.name() + " AS e WHERE " + isSameKey("e", "d") + ")";
        String wrong = "SELECT CASE WHEN " + isAbsent + " THEN 'MISSING' ELSE 'DIFFERENT' END AS kind, " + keyOf("e")
                + ", " + coordinates(expected, "e") + " FROM " + expected.name() + " AS e LEFT JOIN " + table
                + " AS d ON " + isSameKey("d", "e") + " WHERE " + isAbsent + isDifferent;
        String undeleted = "SELECT DISTINCT ON (" + keyOf("d") + ") 'DELETED', " + keyOf("d") + ", "
                + coordinates(deleted, "x") + " FROM " + deleted.name() + " AS x JOIN " + table + " AS d ON "
                + isSameKey("x", "d") + " WHERE " + notExpected + " ORDER BY " + keyOf("d") + ", x."
                + deleted.column(RowField.OFFSET) + " DESC";
        String surplus = "SELECT 'SURPLUS', " + keyOf("d") + ", ''::text, -1, -1::bigint, concat_ws(',', " + keyOf("d")
                + ") FROM " + table + " AS d WHERE" + notExpected + " AND NOT EXISTS (SELECT FROM " + deleted.name()
                + " AS x WHERE " + isSameKey("x", "d") + ")" + isOfTheseTopics();
        return wrong
                + (isGuardedAgainstDeletes() ? "" : " UNION ALL (" + undeleted + ")")
                + (isEveryKeyKnown() ? " UNION ALL " + surplus : "");
    }

    /** Whether an older record that Kafka no longer has may keep a deletion from deleting. */
    private boolean isGuardedAgainstDeletes() {
        return (insert.guard().isField() || insert.guard().isSourcePosition()) && !scope.isComplete();
    }

    private String isOfTheseTopics() {
        return row.columnOf(RowField.TOPIC)
                .map(column -> scope.topics().stream()
                        .map(topic -> "'" + topic.replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", " AND d." + column.quoted() + "::text IN (", ")")))
                .orElse("");
    }

    private void report(String found) throws SQLException {
        List<Finding> refused = new ArrayList<>();
        session.read(
                "SELECT kind, topic, partition, record_offset, coalesce(record_key, concat_ws(',', " + keyOf("f")
                        + ")) FROM " + found + " AS f ORDER BY 2, 3, 4, 5",
                result -> {
                    Finding finding = finding(
                            result.getString(1),
                            result.getString(2),
                            result.getInt(3),
                            result.getLong(4),
                            result.getString(5));
                    if (!findings.add(finding)) {
                        refused.add(finding);
                    }
                });
        for (Finding each : refused) {
            session.execute(
                    "DELETE FROM " + found + " WHERE topic = '" + each.topic().replace("'", "''") + "' AND partition = "
                            + each.partition() + " AND record_offset = " + each.offset());
        }
    }

    private Finding finding(String kind, String topic, int partition, long offset, String recordKey) {
        String detail =
                switch (kind) {
                    case "MISSING" -> "no row for the key's latest record";
                    case "DIFFERENT" -> "the row is not what the key's records give";
                    case "DELETED" -> "the row is still there although the key's latest record deletes it";
                    default -> "no record has the row's key";
                };
        Finding.Kind what = kind.equals("DELETED") ? Finding.Kind.SURPLUS : Finding.Kind.valueOf(kind);
        return new Finding(what, table, topic, partition, offset, recordKey, detail);
    }

    /**
     * Puts rows right while a lock keeps the sink from writing. Records that came before the lock are read, and a key
     * that one of them has is left alone. Records that come later overwrite the row. So nothing newer is overwritten.
     */
    private void repair(String found, ExpectedRows later, StoreAudit.Newer newer)
            throws SQLException, ToolException, InterruptedException {
        String columns = row.columns().stream().map(Column::quoted).collect(Collectors.joining(", "));
        String values =
                row.columns().stream().map(column -> "e." + column.quoted()).collect(Collectors.joining(", "));
        String assignments = compared().stream()
                .map(TableName::quote)
                .map(column -> column + " = e." + column)
                .collect(Collectors.joining(", "));
        String latest = expected.name() + " AS e JOIN " + found + " AS f ON " + isSameKey("e", "f");
        try {
            session.inTransaction(() -> {
                session.execute("SET LOCAL lock_timeout = '30s'");
                session.execute("LOCK TABLE " + table + " IN SHARE ROW EXCLUSIVE MODE");
                readInto(later, newer);
                explain(found, later);
                long repaired = session.execute("INSERT INTO " + table + " (" + columns + ") SELECT " + values
                        + " FROM " + latest + " WHERE f.kind = 'MISSING' ON CONFLICT DO NOTHING");
                if (!assignments.isEmpty()) {
                    repaired += session.execute("UPDATE " + table + " AS d SET " + assignments + " FROM " + latest
                            + " WHERE f.kind = 'DIFFERENT' AND " + isSameKey("d", "f"));
                }
                repaired += session.execute("DELETE FROM " + table + " AS d USING " + found
                        + " AS f WHERE f.kind = 'DELETED' AND " + isSameKey("d", "f"));
                findings.repaired(repaired);
            });
        } catch (SQLException e) {
            if (PostgresFailures.endsConnections(e)) {
                throw e;
            }
            findings.note("the rows of " + table + " were not repaired: " + PostgresFailures.describe(e));
        }
    }
}
