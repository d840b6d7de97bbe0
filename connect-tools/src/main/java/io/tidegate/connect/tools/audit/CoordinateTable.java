package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.tools.audit.BucketTotals.Bucket;
import io.tidegate.connect.tools.audit.Remedy.Action;
import io.tidegate.connect.tools.audit.Scope.Stretch;
import io.tidegate.connect.tools.records.OffsetRange;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * A table whose rows name the partition and offset of their records. The server sums up the hashes of its rows by
 * buckets of offsets in one pass. The expected rows go into a temporary table, chunk by chunk, and are summed up in the
 * same way. Only buckets that differ are compared row by row. One thread uses it.
 */
final class CoordinateTable implements TableAudit {
    /** Rows that are expected at a time: enough for the statements between to cost nothing, and some ten megabytes. */
    private static final int CHUNK_ROWS = 100_000;

    /** Rows of differing buckets that are compared at a time. */
    private static final long MOST_SUSPECTS = 1_000_000;

    private static final String SCOPE = "unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[])";

    private static final String EXPIRED = "rows whose records Kafka has deleted since";

    private static final String ROW = "\"tidegate audit row\"";
    private static final String ROW_TABLE = "\"tidegate audit table\"";
    private static final String ROW_TOPIC = "\"tidegate audit topic of row\"";

    private final PostgresSession session;
    private final String table;
    private final Scope scope;
    private final Findings findings;
    private final String topicColumn; // quoted; empty if there is only one topic
    private final String onlyTopic;
    private final String partitionColumn;
    private final String offsetColumn;
    private final ComparedColumns compared;
    private final boolean hasIndex;
    private final boolean isTable;
    private final boolean isReferenced;
    private final RowTriggers triggers;
    private final ExpectedRows expected;
    private final String suspects;
    private final String places; // the buckets of the suspects
    private final String found;
    private final BucketTotals totals;
    private final List<Bucket> differing = new ArrayList<>();
    private final Map<TopicPartition, Long> logStarts = new HashMap<>();
    private final Set<TopicPartition> ofSeveralLogs = new HashSet<>();
    private long chunk; // rows in the temporary table
    private long lastBucket = -1;
    private long suspected;

    /**
     * Sums up the table.
     *
     * @param onlyTopic that writes to the table, if its rows do not name their topics
     */
    CoordinateTable(
            PostgresSession session,
            String table,
            TableShape shape,
            RowSettings row,
            InsertSettings insert,
            String onlyTopic,
            Scope scope,
            Findings findings)
            throws SQLException {
        this.session = requireNonNull(session, "session");
        this.table = requireNonNull(table, "table");
        this.scope = requireNonNull(scope, "scope");
        this.findings = requireNonNull(findings, "findings");
        this.topicColumn = row.columnOf(RowField.TOPIC).map(Column::quoted).orElse("");
        this.onlyTopic = requireNonNull(onlyTopic, "onlyTopic");
        this.partitionColumn = row.columnOf(RowField.PARTITION).orElseThrow().quoted();
        this.offsetColumn = row.columnOf(RowField.OFFSET).orElseThrow().quoted();
        List<RowField> coordinates = List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET);
        this.compared = new ComparedColumns(
                shape,
                new RowSql(row, insert)
                        .columns(shape).stream()
                                .filter(column -> !coordinates.contains(column.input()))
                                .toList(),
                row.fields());
        this.hasIndex = hasIndex();
        this.isTable = session.number("SELECT count(*) FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass("
                        + literal(table) + ") AND relkind IN ('r', 'p')")
                > 0;
        this.isReferenced = session.isReferenced(table);
        this.triggers = session.rowTriggers(table, insert);
        this.expected = ExpectedRows.appended(session, table, shape, row);
        this.suspects = session.newTable("suspects");
        this.places = session.newTable("places");
        this.found = session.newTable("found");
        session.execute("CREATE TEMPORARY TABLE " + local(suspects) + " (LIKE " + expected.name() + ")");
        session.execute("CREATE TEMPORARY TABLE " + local(places)
                + " (topic text, partition int, bucket bigint, first bigint, next bigint)");
        this.totals = new BucketTotals(scope);
        sumUp();
    }

    private static String local(String name) {
        return name.substring("pg_temp.".length());
    }

    private String topic(String alias) {
        return topicColumn.isEmpty() ? literal(onlyTopic) + "::text" : alias + '.' + topicColumn + "::text";
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private String partition(String alias) {
        return alias + '.' + partitionColumn + "::int";
    }

    private String offset(String alias) {
        return alias + '.' + offsetColumn + "::bigint";
    }

    private String bucket(String alias) {
        return "(" + offset(alias) + " / " + totals.size() + ")";
    }

    private String sums(String alias) {
        return topic(alias) + " AS topic, " + partition(alias) + " AS partition, " + bucket(alias)
                + " AS bucket, count(*), (sum(" + compared.hash(alias, offsetColumn)
                + ") % 9223372036854775807)::bigint";
    }

    /** Whether an index begins with the coordinates, so that a few offsets are found without reading the table. */
    private boolean hasIndex() throws SQLException {
        List<String> coordinates = new ArrayList<>(List.of(partitionColumn, offsetColumn));
        if (!topicColumn.isEmpty()) {
            coordinates.add(topicColumn);
        }
        long[] fitting = new long[1];
        session.read(
                "SELECT ARRAY(SELECT quote_ident(a.attname) FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)"
                        + " JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum"
                        + " WHERE k.place <= ? ORDER BY k.place)::text[]"
                        + " FROM pg_catalog.pg_index i WHERE i.indrelid = pg_catalog.to_regclass(?)"
                        + " AND i.indisvalid AND i.indpred IS NULL",
                statement -> {
                    statement.setInt(1, coordinates.size());
                    statement.setString(2, table);
                },
                index -> {
                    Set<String> columns = new HashSet<>();
                    for (String column : (String[]) index.getArray(1).getArray()) {
                        columns.add(column.startsWith("\"") ? column : TableName.quote(column));
                    }
                    fitting[0] += columns.equals(Set.copyOf(coordinates)) ? 1 : 0;
                });
        return fitting[0] > 0;
    }

    /** The first of two passes over the whole table. */
    private void sumUp() throws SQLException {
        String sql = "SELECT " + sums("d") + " FROM " + table + " AS d JOIN " + SCOPE
                + " AS s(topic, partition, first, next) ON s.topic = " + topic("d") + " AND s.partition = "
                + partition("d") + " AND " + offset("d") + " >= s.first AND " + offset("d") + " < s.next"
                + " GROUP BY 1, 2, 3";
        session.read(
                sql,
                this::bindScope,
                row -> totals.put(
                        new TopicPartition(row.getString(1), row.getInt(2)),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5)));
    }

    private void bindScope(PreparedStatement statement) throws SQLException {
        List<Map.Entry<TopicPartition, Stretch>> entries =
                List.copyOf(scope.sorted().entrySet());
        statement.setArray(
                1, array(statement, "text", entries, entry -> entry.getKey().topic()));
        statement.setArray(
                2, array(statement, "int4", entries, entry -> entry.getKey().partition()));
        statement.setArray(
                3, array(statement, "int8", entries, entry -> entry.getValue().from()));
        statement.setArray(
                4, array(statement, "int8", entries, entry -> entry.getValue().to()));
    }

    private static <T> Array array(PreparedStatement statement, String type, List<T> rows, Function<T, ?> field)
            throws SQLException {
        return statement
                .getConnection()
                .createArrayOf(type, rows.stream().map(field).toArray());
    }

    @Override
    public void expect(List<Document> documents) throws SQLException, ToolException, InterruptedException {
        int from = 0;
        if (chunk >= CHUNK_ROWS) {
            // A bucket is complete before it is compared.
            while (from < documents.size() && documents.get(from).offset() / totals.size() == lastBucket) {
                from++;
            }
            if (from < documents.size()) {
                write(documents.subList(0, from));
                compareChunk();
            } else {
                from = 0;
            }
        }
        write(documents.subList(from, documents.size()));
    }

    private void write(List<Document> documents) throws ToolException, InterruptedException {
        if (documents.isEmpty()) {
            return;
        }
        if (topicColumn.isEmpty()
                && !documents.get(0).progress().partition().topic().equals(onlyTopic)) {
            throw new ToolException("several topics go into " + table + ", and its rows do not say which one they come"
                    + " from: add topic to " + RowSettings.METADATA_COLUMNS);
        }
        long refused = expected.write(documents);
        findings.refused(refused);
        findings.compared(documents.size() - refused);
        chunk += documents.size();
        lastBucket = documents.get(documents.size() - 1).offset() / totals.size();
    }

    /** A bucket belongs to one partition, so all rows of the chunk do. */
    private void compareChunk() throws SQLException, ToolException {
        List<Long> buckets = new ArrayList<>();
        session.read("SELECT " + sums("e") + " FROM " + expected.name() + " AS e GROUP BY 1, 2, 3", row -> {
            TopicPartition partition = new TopicPartition(row.getString(1), row.getInt(2));
            if (!totals.take(partition, row.getLong(3), row.getLong(4), row.getLong(5))) {
                differing.add(new Bucket(partition, row.getLong(3)));
                buckets.add(row.getLong(3));
            }
        });
        if (!buckets.isEmpty()) {
            suspected += session.execute("INSERT INTO " + suspects + " SELECT e.* FROM " + expected.name()
                    + " AS e WHERE " + bucket("e")
                    + buckets.stream().map(String::valueOf).collect(Collectors.joining(", ", " IN (", ")")));
        }
        expected.truncate();
        chunk = 0;
        if (suspected >= MOST_SUSPECTS) {
            compareSuspects();
        }
    }

    @Override
    public void ends(TopicPartition partition, OffsetRange now) throws SQLException, ToolException {
        logStarts.put(partition, now.from());
        if (chunk > 0) {
            compareChunk();
        }
        lastBucket = -1;
        differing.addAll(totals.rest(partition));
    }

    @Override
    public void finish(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException {
        for (TopicPartition partition : scope.stretches().keySet()) {
            if (!logStarts.containsKey(partition)) { // it ended before the first row of this table came
                differing.addAll(totals.rest(partition));
            }
        }
        if (!differing.isEmpty()) {
            compareSuspects();
        }
        countRowsOutside(newer);
    }

    /** Rows before the first record that Kafka has, and rows behind the last one, which are of another log. */
    private void countRowsOutside(StoreAudit.Newer newer) throws SQLException, ToolException, InterruptedException {
        Map<TopicPartition, Long> highest = new HashMap<>();
        session.read(
                "SELECT s.topic, s.partition, count(*) FILTER (WHERE " + offset("d") + " < s.first), max(" + offset("d")
                        + ") FROM " + table + " AS d JOIN " + SCOPE
                        + " AS s(topic, partition, first, next) ON s.topic = " + topic("d") + " AND s.partition = "
                        + partition("d") + " GROUP BY 1, 2",
                this::bindScope,
                row -> {
                    TopicPartition partition = new TopicPartition(row.getString(1), row.getInt(2));
                    Stretch stretch = scope.stretches().get(partition);
                    if (stretch.from() == stretch.logStart()) {
                        findings.unknown(EXPIRED, row.getLong(3));
                    }
                    highest.put(partition, row.getLong(4));
                });
        Map<TopicPartition, OffsetRange> now = newer.ranges();
        for (Map.Entry<TopicPartition, Long> partition : highest.entrySet()) {
            long end = now.get(partition.getKey()).to();
            boolean isLast = !scope.stretches().get(partition.getKey()).isFollowed();
            if (isLast && partition.getValue() >= end) {
                ofSeveralLogs.add(partition.getKey());
                findings.unknown(
                        "rows whose offsets Kafka does not have yet: they are of another log, such as that of a topic"
                                + " which was created again",
                        session.number("SELECT count(*) FROM " + table + " AS d WHERE " + topic("d") + " = "
                                + literal(partition.getKey().topic()) + " AND " + partition("d") + " = "
                                + partition.getKey().partition() + " AND " + offset("d") + " >= " + end));
            }
        }
    }

    private void compareSuspects() throws SQLException, ToolException {
        session.execute("TRUNCATE " + places);
        try (PreparedStatement statement = session.connection()
                .prepareStatement("INSERT INTO " + places + " SELECT * FROM unnest(?::text[], ?::int[], ?::bigint[],"
                        + " ?::bigint[], ?::bigint[])")) {
            long size = totals.size();
            statement.setArray(1, array(statement, "text", differing, each -> each.partition()
                    .topic()));
            statement.setArray(2, array(statement, "int4", differing, each -> each.partition()
                    .partition()));
            statement.setArray(3, array(statement, "int8", differing, Bucket::number));
            statement.setArray(
                    4,
                    array(
                            statement,
                            "int8",
                            differing,
                            each -> Math.max(
                                    each.number() * size,
                                    scope.stretches().get(each.partition()).from())));
            statement.setArray(
                    5,
                    array(
                            statement,
                            "int8",
                            differing,
                            each -> Math.min(
                                    (each.number() + 1) * size,
                                    scope.stretches().get(each.partition()).to())));
            statement.executeUpdate();
        }
        session.execute("ANALYZE " + places);
        session.execute("ANALYZE " + suspects);
        session.execute("CREATE TEMPORARY TABLE " + local(found) + " AS " + differences());
        report();
        session.execute("DROP TABLE " + found);
        session.execute("TRUNCATE " + suspects);
        differing.clear();
        suspected = 0;
    }

    /** The table's rows in the buckets of the suspects. */
    private String rowsOfPlaces() {
        String columns = "true AS " + ROW + ", d.*"; // a view has no ctid
        return hasIndex
                ? "SELECT x.*, p.topic AS " + ROW_TOPIC + " FROM " + places + " AS p CROSS JOIN LATERAL (SELECT "
                        + columns + " FROM " + table + " AS d WHERE "
                        + (topicColumn.isEmpty() ? "" : "d." + topicColumn + " = p.topic AND ") + "d."
                        + partitionColumn + " = p.partition AND d." + offsetColumn + " >= p.first AND d."
                        + offsetColumn + " < p.next) AS x"
                : "SELECT " + columns + ", p.topic AS " + ROW_TOPIC + " FROM " + table + " AS d JOIN " + places
                        + " AS p ON p.topic = " + topic("d") + " AND p.partition = " + partition("d")
                        + " AND p.bucket = " + bucket("d") + " AND " + offset("d") + " >= p.first AND " + offset("d")
                        + " < p.next";
    }

    private String expectedTopic() {
        return "e." + expected.column(RowField.TOPIC) + "::text";
    }

    private String areOneRecord() {
        return "a." + ROW_TOPIC + " = " + expectedTopic() + " AND " + partition("a") + " = " + partitionOfExpected()
                + " AND " + offset("a") + " = " + offsetOfExpected();
    }

    private String partitionOfExpected() {
        return "e." + expected.column(RowField.PARTITION) + "::int";
    }

    private String offsetOfExpected() {
        return "e." + expected.column(RowField.OFFSET) + "::bigint";
    }

    private String differences() {
        String isExpected = "count(" + offsetOfExpected() + ") > 0";
        String isPair = "a." + ROW + " IS NOT NULL AND " + offsetOfExpected() + " IS NOT NULL";
        String copies = "count(a." + ROW + ")";
        String same = "count(*) FILTER (WHERE " + isPair + " AND " + compared.areSame("a", "e") + ")";
        return "SELECT coalesce(" + expectedTopic() + ", a." + ROW_TOPIC + ") AS topic, coalesce("
                + partitionOfExpected() + ", " + partition("a") + ") AS partition, coalesce(" + offsetOfExpected()
                + ", " + offset("a") + ") AS record_offset, max(e." + expected.column(RowField.RECORD_KEY)
                + "::text) AS record_key, " + isExpected + " AS is_expected, " + copies + " AS copies, " + same
                + " AS same, min(" + compared.differences("a", "e", Differences.MOST_OF_COLUMN) + ") FILTER (WHERE "
                + isPair
                + ") AS differing FROM " + suspects + " AS e FULL JOIN (" + rowsOfPlaces() + ") AS a ON "
                + areOneRecord()
                + " GROUP BY 1, 2, 3 HAVING NOT (" + isExpected + " AND " + copies + " = 1 AND " + same + " = 1)";
    }

    private void report() throws SQLException {
        session.read(
                "SELECT topic, partition, record_offset, coalesce(record_key, ''), is_expected, copies, same, differing FROM "
                        + found + " ORDER BY 1, 2, 3",
                row -> {
                    TopicPartition partition = new TopicPartition(row.getString(1), row.getInt(2));
                    long offset = row.getLong(3);
                    if (row.getBoolean(5)) {
                        List<Difference> differing = row.getArray(8) == null
                                ? List.of()
                                : Differences.ofColumns(
                                        (String[]) row.getArray(8).getArray());
                        add(wrong(partition, offset, row.getString(4), row.getLong(6), row.getLong(7), differing));
                    } else {
                        unexplained(partition, offset, row.getLong(6));
                    }
                });
    }

    private void add(Finding finding) {
        if (triggers.mayExplain(finding.kind())) {
            findings.addUnknown(finding, KeyedTable.changedByTriggers(table));
        } else {
            findings.add(finding);
        }
    }

    private Finding wrong(
            TopicPartition partition, long offset, String key, long copies, long same, List<Difference> differing) {
        if (copies == 0) {
            return finding(Finding.Kind.MISSING, partition, offset, key, "no row", List.of(), Remedy.of(Action.WRITE));
        }
        if (same < copies) {
            ofSeveralLogs.add(partition);
        }
        if (copies > 1) {
            String others = same == copies ? "" : ", " + (copies - same) + " of them different";
            return finding(
                    Finding.Kind.DOUBLED,
                    partition,
                    offset,
                    key,
                    copies + " rows" + others,
                    List.of(),
                    same == copies
                            ? Remedy.of(Action.DELETE_COPIES)
                            : Remedy.leave("the rows are not equal, so one may be all that is left of another log"));
        }
        return finding(
                Finding.Kind.DIFFERENT,
                partition,
                offset,
                key,
                "the row is not what the record gives",
                differing,
                Remedy.leave("it has the coordinates of the record, so another log or something else wrote it; delete"
                        + " it to have it written again"));
    }

    private void unexplained(TopicPartition partition, long offset, long rows) {
        if (scope.isOneKey()) {
            return; // the rows may be of other keys
        }
        if (scope.isCompacted(partition)) {
            findings.unknown("rows whose records Kafka may have compacted away", rows);
        } else if (offset < logStarts.getOrDefault(partition, 0L)) {
            findings.unknown(EXPIRED, rows);
        } else if (findings.isUnreadable(partition)) {
            findings.unknown("rows of partitions in which a record cannot be read here: it may be theirs", rows);
        } else {
            findings.add(finding(
                    Finding.Kind.SURPLUS,
                    partition,
                    offset,
                    "",
                    "the sink writes no row for this offset",
                    List.of(),
                    Remedy.leave("no record explains it, so it may be somebody's")));
        }
    }

    private Finding finding(
            Finding.Kind kind,
            TopicPartition partition,
            long offset,
            String key,
            String detail,
            List<Difference> differing,
            Remedy remedy) {
        return new Finding(
                kind, table, partition.topic(), partition.partition(), offset, key, detail, differing, remedy);
    }

    @Override
    public Optional<String> objection(Finding finding) {
        if (finding.remedy().action() != Action.DELETE_COPIES) {
            return Optional.empty();
        }
        if (!isTable) {
            return Optional.of("its rows are those of a view or of another server");
        }
        if (isReferenced) {
            return Optional.of("a foreign key refers to its table, so rows of others could go with a copy");
        }
        return ofSeveralLogs.contains(finding.topicPartition())
                ? Optional.of("its partition has rows that are not of this log")
                : Optional.empty();
    }

    /** What {@code pg_get_expr} gives of a default that may be another value for each row, without its texts and lengths. */
    private static final String COMPUTED = "[(]|CURRENT_|LOCALTIME|USER";

    private static final String TEXT = "'([^']|'')*'";
    private static final String LENGTH = "::[^()]*[(][0-9,]+[)]";

    /**
     * Rows are equal if all columns are, except those that the server fills in another way for each row: in any other,
     * somebody may have changed one of the copies.
     */
    @Override
    public long deleteCopies(List<Finding> doubled) throws SQLException, ToolException, InterruptedException {
        List<String> all = new ArrayList<>();
        session.read(
                "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = pg_catalog.to_regclass("
                        + literal(table) + ") AND attnum > 0 AND NOT attisdropped AND attname <> ALL (?::text[])"
                        + " AND attidentity = '' AND (NOT atthasdef OR attgenerated = '' AND EXISTS (SELECT FROM"
                        + " pg_catalog.pg_attrdef AS f WHERE f.adrelid = attrelid AND f.adnum = attnum AND"
                        + " regexp_replace(regexp_replace(pg_catalog.pg_get_expr(f.adbin, f.adrelid), " + literal(TEXT)
                        + ", '', 'g'), '" + LENGTH + "', '', 'g') !~ '" + COMPUTED + "'))",
                statement -> statement.setArray(
                        1,
                        statement
                                .getConnection()
                                .createArrayOf("text", compared.names().toArray(String[]::new))),
                column -> all.add(column.getString(1)));
        all.addAll(compared.names());
        String equal = all.stream()
                .map(column -> ", d." + TableName.quote(column) + "::text COLLATE \"C\"")
                .collect(Collectors.joining());
        long[] deleted = new long[1];
        session.inTransaction(() -> {
            try (PreparedStatement statement = session.connection()
                    .prepareStatement("WITH rows AS MATERIALIZED (SELECT d.*, d.ctid AS " + ROW + ", d.tableoid AS "
                            + ROW_TABLE + " FROM " + table
                            + " AS d WHERE (" + topic("d") + ", " + partition("d") + ", " + offset("d")
                            + ") IN (SELECT * FROM unnest(?::text[], ?::int[], ?::bigint[])) FOR UPDATE OF d)"
                            + " DELETE FROM " + table + " AS t USING (SELECT d." + ROW + ", d." + ROW_TABLE
                            + ", row_number() OVER (PARTITION BY " + topic("d") + ", " + partition("d") + ", "
                            + offset("d") + equal + " ORDER BY d." + ROW_TABLE + ", d." + ROW
                            + ") AS copy FROM rows AS d) AS r"
                            + " WHERE r.copy > 1 AND t.ctid = r." + ROW + " AND t.tableoid = r." + ROW_TABLE)) {
                statement.setArray(1, array(statement, "text", doubled, Finding::topic));
                statement.setArray(2, array(statement, "int4", doubled, Finding::partition));
                statement.setArray(3, array(statement, "int8", doubled, Finding::offset));
                deleted[0] = statement.executeUpdate();
            }
        });
        return deleted[0];
    }
}
