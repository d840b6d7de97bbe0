package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.tools.audit.Remedy.Action;
import io.tidegate.connect.tools.records.OffsetRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * A table whose rows are identified by a key that several records may have. For each partition the sink's own writer
 * inserts, updates and deletes all records in a temporary table with the same key. The server compares what is left there
 * with the table. Nothing orders the records of several partitions: a row that fits one of them is not known to be wrong.
 * A row that differs although a record that came later explains it is no finding. One thread uses it.
 */
final class KeyedTable implements TableAudit {
    private static final String SEVERAL_PARTITIONS =
            "its key has records in several partitions, and nothing tells which of them is the newest";

    private final PostgresSession session;
    private final String table;
    private final ComparedColumns compared;
    private final RowSettings row;
    private final InsertSettings insert;
    private final Scope scope;
    private final Findings findings;
    private final RowTriggers triggers;
    private final List<String> key; // quoted
    private final ExpectedRows expected;
    private final Map<TopicPartition, ExpectedRows> parts = new HashMap<>();
    private final ExpectedRows deleted;
    private final ExpectedRows refusedKeys;
    private final ExpectedRows refusedDeletions;
    private final String found;
    private final String several;

    KeyedTable(
            PostgresSession session,
            String table,
            TableShape shape,
            RowSettings row,
            InsertSettings insert,
            Scope scope,
            Findings findings)
            throws SQLException {
        this.session = requireNonNull(session, "session");
        this.table = requireNonNull(table, "table");
        this.row = requireNonNull(row, "row");
        this.insert = requireNonNull(insert, "insert");
        this.scope = requireNonNull(scope, "scope");
        this.findings = requireNonNull(findings, "findings");
        this.triggers = session.rowTriggers(table, insert);
        this.key = row.keyColumns().stream().map(Column::quoted).toList();
        List<Column> columns = new RowSql(row, insert).columns(shape);
        this.compared = new ComparedColumns(
                shape,
                columns.stream()
                        .filter(column -> !key.contains(column.quoted()))
                        .filter(column -> !insert.skipsUnchanged()
                                || column.input() == RowField.VALUE
                                || column.input() instanceof DocumentField)
                        .toList(),
                row.fields());
        this.expected = ExpectedRows.keyed(session, table, shape, row, insert);
        this.deleted = ExpectedRows.log(session, table, row);
        this.refusedKeys = ExpectedRows.log(session, table, row);
        this.refusedDeletions = ExpectedRows.log(session, table, row);
        this.found = session.newTable("found");
        this.several = session.newTable("several");
    }

    /** Whether a value of the document, and not the order of the records, tells which of them is the newest. */
    private boolean isGuardedByValue() {
        return insert.guard().isField() || insert.guard().isSourcePosition();
    }

    @Override
    public void expect(List<Document> documents) throws SQLException, ToolException, InterruptedException {
        TopicPartition partition = documents.get(0).progress().partition();
        ExpectedRows part = parts.get(partition);
        if (part == null) {
            part = expected.part();
            parts.put(partition, part);
        }
        List<Document> letters = documents.stream().filter(findings::isRefused).toList();
        List<Document> others = letters.isEmpty()
                ? documents
                : documents.stream()
                        .filter(document -> !findings.isRefused(document))
                        .toList();
        long refused = part.write(others);
        findings.refused(refused);
        letters.forEach(findings::refused);
        findings.compared(others.size() - refused);
        List<Document> deletions = others.stream().filter(Document::isDelete).toList();
        long unused = deleted.write(deletions);
        long unusedToo = refusedKeys.write(letters)
                + refusedDeletions.write(
                        letters.stream().filter(Document::isDelete).toList());
    }

    @Override
    public void ends(TopicPartition partition, OffsetRange now) {
        // A later partition may have records of the same keys.
    }

    /** Whether the records that Kafka still has say what a row is, or only that there is one. */
    private boolean isContentKnown() {
        return (insert.mode() == InsertMode.UPSERT && !isGuardedByValue()) || scope.isComplete();
    }

    /** Whether a row that no record in Kafka has the key of should not be there. */
    private boolean isEveryKeyKnown() {
        return scope.isWhole()
                && findings.unreadable() == 0
                && scope.stretches().values().stream()
                        .allMatch(stretch -> stretch.from() == 0
                                && (!stretch.isCompacted()
                                        || (insert.deletes() && insert.mode() == InsertMode.UPSERT)));
    }

    @Override
    public void finish(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException {
        session.execute("ANALYZE " + expected.name());
        session.execute("ANALYZE " + deleted.name());
        if (isGuardedByValue() && !insert.deletes() && insert.mode() == InsertMode.UPSERT && parts.size() > 1) {
            dropOlder();
        }
        if (!isContentKnown()) {
            findings.unknown(
                    "rows of " + table + " of which only the existence was compared: a row is made of all records of"
                            + " its key, and the oldest ones were not read or are no longer in Kafka",
                    session.number("SELECT count(*) FROM " + expected.name()));
        }
        session.execute("CREATE TEMPORARY TABLE " + local(found) + " AS " + differences());
        if (session.number("SELECT count(*) FROM " + found) > 0) {
            ExpectedRows later = ExpectedRows.log(session, table, row);
            explain(newer, later);
            leaveRefused();
            leaveOfOthers();
            judgeKeysOfSeveralPartitions();
            explain(newer, later); // by what the sink wrote while these rows were read
            report();
        }
        session.execute("DROP TABLE " + found);
    }

    /**
     * Of several partitions' rows of a key, only those with the highest guarded value are left. Of those with equal values
     * any may have come last.
     */
    private void dropOlder() throws SQLException {
        String column = insert.guard().isField()
                ? TableName.quote(insert.guard().setting())
                : row.columnOf(RowField.SOURCE_POSITION).orElseThrow().quoted();
        long unused = session.execute("DELETE FROM " + expected.name() + " AS e USING " + expected.name()
                + " AS n WHERE "
                + isSameKey("n", "e") + " AND n." + column + " IS NOT NULL AND (e." + column + " IS NULL OR n." + column
                + " > e." + column + ")");
    }

    private static String local(String name) {
        return name.substring("pg_temp.".length());
    }

    /**
     * Takes out what a record explains that the sink may have written since. If that does not replace the whole row, the row
     * is not known to be right.
     *
     * @param later what was read of it before
     */
    private void explain(StoreAudit.Newer newer, ExpectedRows later)
            throws SQLException, ToolException, InterruptedException {
        newer.read(documents -> {
            long unused = later.write(documents.stream()
                    .filter(document -> document.destination().equals(table) && !findings.isRefused(document))
                    .toList());
        });
        long explained = session.execute(
                "DELETE FROM " + found + " AS f USING " + later.name() + " AS n WHERE " + isSameKey("f", "n"));
        if (insert.mode() == InsertMode.UPSERT && !isGuardedByValue()) {
            findings.inFlight(explained);
        } else {
            findings.unknown(
                    "rows of " + table + " that differ while the sink writes a newer record of their key: "
                            + (isGuardedByValue()
                                    ? "its value decides whether it replaces"
                                    : "it does not replace all of")
                            + " the row",
                    explained);
        }
    }

    /** A refused record may have been written since, when somebody set the offsets back. Only a deletion makes a row go. */
    private void leaveRefused() throws SQLException {
        findings.unknown(
                "rows of " + table
                        + " that differ, and of whose key a record has a dead letter: it may have been written"
                        + " since",
                session.execute("DELETE FROM " + found + " AS f USING " + refusedKeys.name()
                                + " AS r WHERE f.kind <> 'MISSING' AND " + isSameKey("f", "r"))
                        + session.execute("DELETE FROM " + found + " AS f USING " + refusedDeletions.name()
                                + " AS r WHERE f.kind = 'MISSING' AND " + isSameKey("f", "r")));
    }

    /** A row that another partition's record wrote is not known to be wrong if that partition is not read. */
    private void leaveOfOthers() throws SQLException {
        if (scope.isPart()) {
            findings.unknown(
                    "rows of " + table + " that were written from partitions which are not compared",
                    session.execute("DELETE FROM " + found + " WHERE standing = '" + Standing.ELSEWHERE + "'"));
        }
    }

    private String isSameKey(String one, String other) {
        return key.stream()
                .map(column -> one + '.' + column + " = " + other + '.' + column)
                .collect(Collectors.joining(" AND "));
    }

    private String isSamePartition(String expectedRow, String deletion) {
        return coordinate(expected, expectedRow, RowField.TOPIC) + " = "
                + coordinate(deleted, deletion, RowField.TOPIC) + " AND "
                + coordinate(expected, expectedRow, RowField.PARTITION) + " = "
                + coordinate(deleted, deletion, RowField.PARTITION);
    }

    private String keyOf(String alias) {
        return key.stream().map(column -> alias + '.' + column).collect(Collectors.joining(", "));
    }

    private static String coordinate(ExpectedRows rows, String alias, RowField field) {
        String type =
                switch (field) {
                    case PARTITION -> "int";
                    case OFFSET -> "bigint";
                    default -> "text";
                };
        return alias + '.' + rows.column(field) + "::" + type;
    }

    private static String coordinates(ExpectedRows rows, String alias) {
        return coordinate(rows, alias, RowField.TOPIC) + " AS topic, " + coordinate(rows, alias, RowField.PARTITION)
                + " AS partition, " + coordinate(rows, alias, RowField.OFFSET) + " AS record_offset, "
                + coordinate(rows, alias, RowField.RECORD_KEY) + " AS record_key";
    }

    /** How the row's own position compares with that of a record, as one of {@link Standing}. */
    private String standing(ExpectedRows rows, String alias) {
        if (List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET).stream()
                .anyMatch(field -> row.columnOf(field).isEmpty())) {
            return "'" + Standing.UNPLACED + "'";
        }
        String offset = "d." + row.columnOf(RowField.OFFSET).orElseThrow().quoted();
        String recordOffset = alias + '.' + rows.column(RowField.OFFSET);
        return "CASE WHEN d." + row.columnOf(RowField.TOPIC).orElseThrow().quoted() + "::text IS DISTINCT FROM "
                + coordinate(rows, alias, RowField.TOPIC) + " OR d."
                + row.columnOf(RowField.PARTITION).orElseThrow().quoted() + "::int IS DISTINCT FROM "
                + coordinate(rows, alias, RowField.PARTITION) + " THEN '" + Standing.ELSEWHERE + "' WHEN " + offset
                + "::bigint < " + recordOffset + "::bigint THEN '" + Standing.OLDER + "' WHEN " + offset
                + "::bigint = " + recordOffset + "::bigint THEN '" + Standing.SAME + "' ELSE '" + Standing.NEWER
                + "' END";
    }

    /** What the position in a row says of the row. */
    private enum Standing {
        UNPLACED("its columns do not say which record wrote it (metadata.columns=topic,partition,offset does)"),
        ELSEWHERE("it was not written from the partition of the record"),
        OLDER(""),
        SAME("it has the position of the record, so something else changed it; delete it to have it written again"),
        NEWER("it has a higher position than the newest record of its key");

        private final String reason;

        Standing(String reason) {
            this.reason = reason;
        }
    }

    private String differences() {
        String isAbsent = "d." + key.get(0) + " IS NULL";
        String isDifferent = isContentKnown() ? " OR NOT " + compared.areSame("d", "e") : "";
        String notExpected = " NOT EXISTS (SELECT FROM " + expected.name() + " AS e WHERE " + isSameKey("e", "d") + ")";
        String wrong = "SELECT CASE WHEN " + isAbsent + " THEN 'MISSING' ELSE 'DIFFERENT' END AS kind, " + keyOf("e")
                + ", " + coordinates(expected, "e") + ", " + standing(expected, "e")
                + " AS standing, false AS is_several, CASE WHEN " + isAbsent + " THEN '{}'::text[] ELSE "
                + compared.differences("d", "e", Differences.MOST_OF_COLUMN) + " END AS differing FROM "
                + expected.name()
                + " AS e LEFT JOIN " + table + " AS d ON "
                + isSameKey("d", "e") + " WHERE " + isAbsent + isDifferent;
        String undeleted = "(SELECT DISTINCT ON (" + keyOf("d") + ") 'DELETED', " + keyOf("d") + ", "
                + coordinates(deleted, "x") + ", " + standing(deleted, "x") + ", false, '{}'::text[] FROM "
                + deleted.name()
                + " AS x JOIN " + table + " AS d ON " + isSameKey("x", "d") + " WHERE " + notExpected + " ORDER BY "
                + keyOf("d") + ", x." + deleted.column(RowField.OFFSET) + " DESC)";
        String deletedElsewhere = "(SELECT DISTINCT ON (" + keyOf("x") + ") 'DELETED_ELSEWHERE', " + keyOf("x") + ", "
                + coordinates(deleted, "x") + ", '', true, '{}'::text[] FROM " + deleted.name() + " AS x JOIN "
                + expected.name()
                + " AS e ON " + isSameKey("x", "e") + " AND NOT (" + isSamePartition("e", "x") + "))";
        String surplus = "SELECT '" + (isEveryKeyKnown() ? "SURPLUS" : "UNREAD") + "', " + keyOf("d")
                + ", ''::text, -1, -1::bigint, concat_ws(',', " + keyOf("d") + "), '', false, '{}'::text[] FROM "
                + table
                + " AS d WHERE" + notExpected + " AND NOT EXISTS (SELECT FROM " + deleted.name() + " AS x WHERE "
                + isSameKey("x", "d") + ")" + isOfTheseTopics();
        return wrong
                + (isGuardedByValue() && !scope.isComplete() ? "" : " UNION ALL " + undeleted)
                + (insert.deletes() ? " UNION ALL " + deletedElsewhere : "")
                + (scope.isWhole() ? " UNION ALL " + surplus : "");
    }

    private String isOfTheseTopics() {
        return row.columnOf(RowField.TOPIC)
                .map(column -> scope.topics().stream()
                        .map(topic -> "'" + topic.replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", " AND d." + column.quoted() + "::text IN (", ")")))
                .orElse("");
    }

    /**
     * Takes out the keys that have records in several partitions, if the row is what one of these partitions leaves. It
     * is not known to be right, either. What no partition leaves is wrong, and stays once.
     */
    private void judgeKeysOfSeveralPartitions() throws SQLException {
        String isFound = " WHERE EXISTS (SELECT FROM " + found + " AS f WHERE ";
        session.execute("CREATE TEMPORARY TABLE " + local(several) + " AS SELECT " + keyOf("k") + " FROM (SELECT "
                + keyOf("e") + ", " + coordinate(expected, "e", RowField.TOPIC) + ", "
                + coordinate(expected, "e", RowField.PARTITION) + " FROM " + expected.name() + " AS e" + isFound
                + isSameKey("f", "e") + ") UNION SELECT " + keyOf("x") + ", "
                + coordinate(deleted, "x", RowField.TOPIC) + ", " + coordinate(deleted, "x", RowField.PARTITION)
                + " FROM " + deleted.name() + " AS x" + isFound + isSameKey("f", "x") + ")) AS k GROUP BY "
                + keyOf("k") + " HAVING count(*) > 1");
        boolean isLastRecordTheRow = insert.mode() == InsertMode.UPSERT && isContentKnown();
        String isRow = isLastRecordTheRow ? " AND " + compared.areSame("d", "e") : "";
        String isStored = "EXISTS (SELECT FROM " + table + " AS d WHERE " + isSameKey("d", "s") + ")";
        String fits = "EXISTS (SELECT FROM " + table + " AS d JOIN " + expected.name() + " AS e ON "
                + isSameKey("e", "d") + isRow + " WHERE " + isSameKey("d", "s") + ") OR NOT " + isStored
                + " AND EXISTS (SELECT FROM " + deleted.name() + " AS x WHERE " + isSameKey("x", "s")
                + " AND NOT EXISTS (SELECT FROM " + expected.name() + " AS e WHERE " + isSameKey("e", "x") + " AND "
                + isSamePartition("e", "x") + "))";
        session.execute("ALTER TABLE " + several + " ADD COLUMN fits bool");
        session.execute("UPDATE " + several + " AS s SET fits = (" + fits + ")");
        findings.unknown(
                "keys of " + table + " that have records in several partitions: nothing tells which is the newest",
                session.number("SELECT count(*) FROM " + several + " WHERE fits"));
        session.execute(
                "DELETE FROM " + found + " AS f USING " + several + " AS s WHERE s.fits AND " + isSameKey("f", "s"));
        session.execute("UPDATE " + found + " AS f SET is_several = true FROM " + several + " AS s WHERE "
                + isSameKey("f", "s"));
        session.execute("DELETE FROM " + found + " AS f WHERE f.kind = 'DELETED_ELSEWHERE' OR f.is_several AND EXISTS"
                + " (SELECT FROM " + found + " AS o WHERE " + isSameKey("o", "f")
                + " AND o.kind <> 'DELETED_ELSEWHERE' AND o.ctid > f.ctid)");
        session.execute("DROP TABLE " + several);
    }

    private void report() throws SQLException {
        findings.unknown(
                "rows of " + table
                        + " whose key no record has that was read: their records may be older, or cannot be read here",
                session.number("SELECT count(*) FROM " + found + " WHERE kind = 'UNREAD'"));
        session.read(
                "SELECT kind, topic, partition, record_offset, coalesce(record_key, concat_ws(',', " + keyOf("f")
                        + ")), standing, is_several, differing FROM " + found
                        + " AS f WHERE kind <> 'UNREAD' ORDER BY 2, 3, 4, 5",
                result -> {
                    Finding finding = finding(result);
                    if (triggers.mayExplain(finding.kind())) {
                        findings.addUnknown(finding, changedByTriggers(table));
                    } else {
                        findings.addOfKey(finding);
                    }
                });
    }

    /** Why what is found in a table is no finding. */
    static String changedByTriggers(String table) {
        return "rows of " + table + " that are not what the records give: a trigger of the table may have changed or"
                + " kept them, or stored none";
    }

    private Finding finding(ResultSet result) throws SQLException {
        String kind = result.getString(1);
        boolean isOfSeveral = result.getBoolean(7);
        String detail =
                switch (kind) {
                    case "MISSING" -> "no row for the key's latest record";
                    case "DIFFERENT" -> "the row is not what the key's records give";
                    case "DELETED" -> "the row is still there although the key's latest record deletes it";
                    default -> "no record has the row's key";
                };
        return new Finding(
                kind.equals("DELETED") ? Finding.Kind.SURPLUS : Finding.Kind.valueOf(kind),
                table,
                result.getString(2),
                result.getInt(3),
                result.getLong(4),
                result.getString(5),
                detail,
                isOfSeveral
                        ? List.of()
                        : Differences.ofColumns((String[]) result.getArray(8).getArray()),
                isOfSeveral ? Remedy.leave(SEVERAL_PARTITIONS) : remedy(kind, result.getString(6)));
    }

    private Remedy remedy(String kind, String standing) {
        return switch (kind) {
            case "MISSING" -> remedyOfMissing();
            case "DIFFERENT" ->
                insert.mode() == InsertMode.UPSERT
                        ? remedyOf(Action.REPLACE, Standing.valueOf(standing))
                        : Remedy.leave(insertMode()
                                + " makes a row of more than its key's newest record; delete it to have it written"
                                + " again");
            case "DELETED" -> remedyOfSurplus(Standing.valueOf(standing));
            default -> Remedy.leave("no record explains it, so it may be somebody's");
        };
    }

    private Remedy remedyOfSurplus(Standing standing) {
        if (isGuardedByValue()) {
            return Remedy.leave("a deletion has no value that stale.write.guard compares");
        }
        if (insert.mode() != InsertMode.UPSERT && insert.guard().isNone()) {
            return Remedy.leave("with " + insertMode() + " only stale.write.guard=offset keeps what is newer");
        }
        return remedyOf(Action.DELETE, standing);
    }

    private String insertMode() {
        return "insert.mode=" + EnumSetting.text(insert.mode());
    }

    private static Remedy remedyOf(Action action, Standing standing) {
        return standing == Standing.OLDER ? Remedy.of(action) : Remedy.leave(standing.reason);
    }

    /** A missing row is written if no deletion of its key can be newer. */
    private Remedy remedyOfMissing() {
        if (insert.mode() == InsertMode.MERGE) {
            return Remedy.leave("insert.mode=merge makes a row of all records of its key");
        }
        if (insert.mode() == InsertMode.IGNORE && !scope.isComplete()) {
            return Remedy.leave("Kafka may no longer have the first record of its key");
        }
        if (findings.unreadable() > 0) {
            return Remedy.leave(Scope.UNREAD);
        }
        if (scope.isPart()) {
            return Remedy.leave(Scope.PART);
        }
        if (isGuardedByValue() && !scope.isComplete()) {
            return Remedy.leave(Scope.VALUES_UNREAD);
        }
        return insert.deletes() && !scope.isOrderKnown()
                ? Remedy.leave(Scope.DELETED_ELSEWHERE)
                : Remedy.of(Action.WRITE);
    }
}
