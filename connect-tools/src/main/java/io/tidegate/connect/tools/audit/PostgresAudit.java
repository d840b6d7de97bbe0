package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.settings.ColumnsFromFields;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.OffsetTable;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.tools.records.OffsetRange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;

/** Compares the tables of a PostgreSQL sink. The server does the comparing. One thread uses it. */
final class PostgresAudit implements StoreAudit {
    /** Nobody asks again for a tool that did not get its connection in time on a busy machine. */
    private static final String LONGEST_START_MS = "30000";

    /** A statement over a whole table may take so long. */
    private static final String LONGEST_STATEMENT_MS = "3600000";

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private static final String NO_PARTS = "the connector cannot be compared in parts (--resume)";

    private final PostgresSession session;
    private final ConnectionSettings connection;
    private final RowSettings row;
    private final InsertSettings insert;
    private final DeliverySettings delivery;
    private final boolean isTableShared;
    private final Findings findings;
    private final Map<String, TableAudit> tables = new LinkedHashMap<>();
    private Scope scope = Scope.NOTHING;
    private boolean isInParts;

    private PostgresAudit(
            PostgresSession session, Map<String, String> props, AbstractConfig config, Findings findings) {
        this.session = session;
        this.connection = ConnectionSettings.from(config);
        RowSettings configured = RowSettings.from(config);
        this.row = configured.fields().areAdded() ? withoutAdding(configured) : configured;
        this.insert = InsertSettings.from(config);
        this.delivery = DeliverySettings.from(config);
        this.isTableShared = TableSettings.from(config).isShared(props);
        this.findings = requireNonNull(findings, "findings");
    }

    /**
     * Connects to the server as the sink does.
     *
     * @param props the sink's settings under this project's names
     */
    static PostgresAudit open(Map<String, String> props, Findings findings) throws ToolException {
        Map<String, String> patient = new HashMap<>(props);
        patient.put("socket.timeout.ms", LONGEST_STATEMENT_MS);
        patient.put("connection.pool.wait.ms", LONGEST_START_MS);
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), patient, false);
        ConnectionSettings connection = ConnectionSettings.from(config);
        try {
            return new PostgresAudit(PostgresSession.open(connection), props, config, findings);
        } catch (SQLException e) {
            throw failed(connection, e);
        }
    }

    /** The audit alters no table, also none that only it sees: a field without a column belongs into the rest. */
    private static RowSettings withoutAdding(RowSettings row) {
        return new RowSettings(
                row.valueColumn(),
                row.keyMode(),
                row.key(),
                row.metadata(),
                row.extractions(),
                new FieldSettings(
                        ColumnsFromFields.KNOWN,
                        row.fields().unknown(),
                        row.fields().areTextsRead()),
                row.values());
    }

    private static ToolException failed(ConnectionSettings connection, SQLException e) {
        String need = INSUFFICIENT_PRIVILEGE.equals(e.getSQLState()) ? need(String.valueOf(e.getMessage())) : "";
        return new ToolException(
                "PostgreSQL at " + connection.server() + " cannot be audited: " + PostgresFailures.describe(e) + need,
                e);
    }

    private static String need(String message) {
        return message.contains("row-level security")
                ? "; the audit needs a role with BYPASSRLS: rows that a policy hides would count as missing"
                : "; the audit needs SELECT on the table and TEMPORARY on the database";
    }

    @Override
    public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) throws ToolException {
        Map<TopicPartition, Long> positions = new HashMap<>();
        if (delivery.isExactlyOnce()) {
            try {
                new OffsetTable(delivery, 0, false)
                        .over(session.connection())
                        .read(partitions)
                        .forEach((partition, entry) -> positions.put(partition, entry.nextOffset()));
            } catch (SQLException e) {
                throw failed(connection, e);
            }
        }
        return positions;
    }

    @Override
    public void requireParts() throws ToolException {
        if (isKeyed()) {
            throw new ToolException(NO_PARTS + ": several of its records may make one row");
        }
        isInParts = true;
    }

    @Override
    public void begin(Scope compared) throws ToolException {
        scope = requireNonNull(compared, "compared");
        if (!tables.isEmpty()) {
            tables.clear();
            try {
                session.execute("DISCARD TEMP");
            } catch (SQLException e) {
                throw failed(connection, e);
            }
        }
    }

    @Override
    public void expect(List<Document> documents) throws ToolException, InterruptedException {
        String first = documents.get(0).destination();
        if (documents.stream().map(Document::destination).allMatch(Predicate.isEqual(first))) {
            expect(first, documents);
            return;
        }
        Map<String, List<Document>> byTable = new LinkedHashMap<>();
        for (Document document : documents) {
            byTable.computeIfAbsent(document.destination(), table -> new ArrayList<>())
                    .add(document);
        }
        for (Map.Entry<String, List<Document>> each : byTable.entrySet()) {
            expect(each.getKey(), each.getValue());
        }
    }

    private void expect(String table, List<Document> documents) throws ToolException, InterruptedException {
        try {
            TableAudit known = tables.get(table);
            if (known == null) {
                known = audit(table, documents.get(0).progress().partition().topic());
                tables.put(table, known);
            }
            known.expect(documents);
        } catch (SQLException e) {
            throw failed(connection, e);
        }
    }

    private TableAudit audit(String table, String topic) throws SQLException, ToolException {
        TableShape shape = TableLookUp.of(
                session.connection(),
                table,
                row.keyColumns().stream().map(Column::name).toList());
        if (!shape.exists()) {
            return new AbsentTable(table, findings);
        }
        requireColumns(table, shape);
        if (isKeyed()) {
            return new KeyedTable(session, table, shape, row, insert, scope, findings);
        }
        boolean isExact = insert.mode() == InsertMode.INSERT
                && !insert.deletes()
                && row.keyMode() == KeyMode.NONE; // or a key repeats
        if (insert.deletes()) {
            return counted(
                    table, "insert.mode=insert with delete.enabled leaves rows that depend on their order", isExact);
        }
        boolean isTopicKnown = row.columnOf(RowField.TOPIC).isPresent() || !isTableShared;
        if (row.columnOf(RowField.PARTITION).isEmpty()
                || row.columnOf(RowField.OFFSET).isEmpty()
                || !isTopicKnown) {
            return counted(
                    table,
                    "its rows do not say which record they come from; " + RowSettings.METADATA_COLUMNS
                            + "=topic,partition,offset or " + RowSettings.PK_MODE + "=kafka would",
                    isExact);
        }
        return new CoordinateTable(session, table, shape, row, insert, topic, scopeOf(topic), findings);
    }

    private TableAudit counted(String table, String why, boolean isExact) throws SQLException, ToolException {
        if (isInParts) {
            throw new ToolException(NO_PARTS + ": " + table + ": " + why);
        }
        return new CountedTable(
                session, table, why, isExact, session.rowTriggers(table, insert).mayDrop(), findings);
    }

    /** A table that does not name topics has rows of one topic only. */
    private Scope scopeOf(String topic) {
        return row.columnOf(RowField.TOPIC).isPresent()
                ? scope
                : new Scope(
                        scope.stretches().entrySet().stream()
                                .filter(entry -> entry.getKey().topic().equals(topic))
                                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                        scope.isPart(),
                        scope.isOneKey());
    }

    private void requireColumns(String table, TableShape shape) throws ToolException {
        for (Column column : row.columns()) {
            if (shape.typeOf(column.name()).isEmpty()) {
                throw new ToolException(table + " has no column " + column.name() + ", which the sink writes");
            }
        }
    }

    @Override
    public void ends(TopicPartition partition, OffsetRange now) throws ToolException, InterruptedException {
        try {
            for (TableAudit table : tables.values()) {
                table.ends(partition, now);
            }
        } catch (SQLException e) {
            throw failed(connection, e);
        }
    }

    @Override
    public void finish(Records records) throws ToolException, InterruptedException {
        try {
            for (TableAudit table : tables.values()) {
                table.finish(records.newer());
            }
        } catch (SQLException e) {
            throw failed(connection, e);
        }
    }

    /** Where rows have coordinates, these compare a row with an older one: a row that was deleted has none. */
    @Override
    public Map<String, String> repairing() {
        boolean isPlaced = List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET).stream()
                .allMatch(field -> row.columnOf(field).isPresent());
        Map<String, String> settings = new HashMap<>(Map.of("delivery.guarantee", "at_least_once"));
        if (isKeyed() && insert.mode() == InsertMode.UPSERT && insert.guard().isNone() && isPlaced) {
            settings.put("stale.write.guard", "offset");
            settings.put("skip.unchanged", "false"); // what the guard compares must be that of the newest record
        }
        return settings;
    }

    @Override
    public boolean isOrderOnly() {
        return isKeyed() && insert.deletes();
    }

    @Override
    public boolean hasSharedKeys() {
        return isKeyed();
    }

    @Override
    public boolean hasKeysOfFields() {
        return isKeyed(); // also the fields of a record's key may be only some of it
    }

    @Override
    public void lock(String connector) throws ToolException {
        try {
            long locked = session.number("SELECT pg_try_advisory_lock(hashtext('tidegate audit'), hashtext('"
                    + connector.replace("'", "''") + "'))::int");
            if (locked == 0) {
                throw new ToolException("another audit repairs the rows of " + connector + " now");
            }
        } catch (SQLException e) {
            throw failed(connection, e);
        }
    }

    private boolean isKeyed() {
        return insert.mode().isResolving() && row.keyMode().isRepeating();
    }

    @Override
    public Optional<String> objection(Finding finding) {
        return tables.get(finding.destination()).objection(finding);
    }

    @Override
    public long deleteCopies(List<Finding> doubled) throws ToolException, InterruptedException {
        Map<String, List<Finding>> byTable = doubled.stream().collect(Collectors.groupingBy(Finding::destination));
        long deleted = 0;
        try {
            for (Map.Entry<String, List<Finding>> each : byTable.entrySet()) {
                deleted += tables.get(each.getKey()).deleteCopies(each.getValue());
            }
        } catch (SQLException e) {
            throw failed(connection, e);
        }
        return deleted;
    }

    @Override
    public void abort() {
        session.abort();
    }

    @Override
    public void close() {
        session.close();
    }

    /** A table that does not exist, or that this user may not see. */
    private static final class AbsentTable implements TableAudit {
        private final String table;
        private final Findings findings;
        private long expected;

        AbsentTable(String table, Findings findings) {
            this.table = requireNonNull(table, "table");
            this.findings = requireNonNull(findings, "findings");
        }

        @Override
        public void expect(List<Document> documents) {
            expected += findings.notRefused(
                    documents.stream().filter(document -> !document.isDelete()).toList());
        }

        @Override
        public void ends(TopicPartition partition, OffsetRange now) {
            // Nothing is there to compare.
        }

        @Override
        public void finish(Newer newer) {
            if (expected > 0) {
                findings.add(Finding.ofAll(
                        Finding.Kind.MISSING,
                        table,
                        "there is no such table for this user, and " + expected + " records belong there"));
            }
        }
    }
}
