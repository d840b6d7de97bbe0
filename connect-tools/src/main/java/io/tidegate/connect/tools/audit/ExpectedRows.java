package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.MetadataColumn;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A temporary table with the columns that the sink writes, which the sink's own writer fills. It also has the
 * coordinates and the key of each record, in the row's own columns where it has some. One thread uses it.
 */
final class ExpectedRows {
    /** What a deletion is written as where each record is a row. */
    private static final byte[] NOTHING = "null".getBytes(StandardCharsets.UTF_8);

    /** COPY costs the server least, and the method does not change what is written. */
    private static final InsertSettings APPENDED =
            new InsertSettings(InsertMode.INSERT, InsertMethod.AUTO, false, StaleGuard.NONE, false, false);

    private final PostgresSession session;
    private final String name;
    private final RowSettings row;
    private final SinkWriter writer;
    private final boolean isLog;
    private final Optional<ShownKeys>
            keys; // empty if the sink stores the key, too, and refuses one that it cannot store

    private ExpectedRows(
            PostgresSession session,
            String name,
            RowSettings row,
            SinkWriter writer,
            boolean isLog,
            Optional<ShownKeys> keys) {
        this.session = session;
        this.name = name;
        this.row = row;
        this.writer = writer;
        this.isLog = isLog;
        this.keys = keys;
    }

    private static Optional<ShownKeys> keysOf(RowSettings row) {
        return row.columnOf(RowField.RECORD_KEY).isPresent() ? Optional.empty() : Optional.of(new ShownKeys());
    }

    /** The rows of all records, one each. */
    static ExpectedRows appended(PostgresSession session, String table, TableShape shape, RowSettings row)
            throws SQLException {
        RowSettings all = withCoordinates(row);
        ExpectedRows rows = new ExpectedRows(
                session, session.newTable("expected"), all, session.writer(all, APPENDED), false, keysOf(row));
        rows.createLike(table, shape, new RowSql(row, APPENDED).columns(shape));
        return rows;
    }

    /** The rows that are left after all records of each {@link #part}. */
    static ExpectedRows keyed(
            PostgresSession session, String table, TableShape shape, RowSettings row, InsertSettings insert)
            throws SQLException {
        RowSettings all = withCoordinates(row);
        InsertSettings cheapest = new InsertSettings(
                insert.mode(), InsertMethod.AUTO, insert.deletes(), insert.guard(), insert.skipsUnchanged(), false);
        ExpectedRows rows = new ExpectedRows(
                session, session.newTable("expected"), all, session.writer(all, cheapest), false, keysOf(row));
        rows.createLike(table, shape, new RowSql(row, APPENDED).columns(shape));
        return rows;
    }

    /** Some of these rows: inserts, updates and deletions are the sink's own, and change no other part. */
    ExpectedRows part() throws SQLException {
        ExpectedRows part = new ExpectedRows(session, session.newTable("expected"), row, writer, false, keys);
        session.execute("CREATE TEMPORARY TABLE " + local(part.name) + " () INHERITS (" + name + ")");
        session.execute("CREATE UNIQUE INDEX ON " + part.name + " (" + quoted(row.keyColumns()) + ")");
        return part;
    }

    /** The keys and coordinates of all records that the server does not refuse, one row each, also for a deletion. */
    static ExpectedRows log(PostgresSession session, String table, RowSettings row) throws SQLException {
        RowSettings keys = withCoordinates(new RowSettings(
                row.valueColumn(), row.keyMode(), row.key(), List.of(), List.of(), FieldSettings.NONE, row.values()));
        ExpectedRows rows = new ExpectedRows(
                session, session.newTable("keys"), keys, session.writer(keys, APPENDED), true, keysOf(row));
        session.execute("CREATE TEMPORARY TABLE " + local(rows.name) + " AS SELECT "
                // Where fields have columns, the value's column is another or none. A text takes every document.
                + (row.fields().isOn() ? "NULL::text AS " : "") + TableName.quote(row.valueColumn())
                + row.keyColumns().stream()
                        .map(column -> ", " + column.quoted())
                        .collect(Collectors.joining())
                + " FROM " + table + " WITH NO DATA");
        rows.addOwnColumns(
                keys.columns().subList(1 + keys.key().size(), keys.columns().size()));
        return rows;
    }

    private static RowSettings withCoordinates(RowSettings row) {
        List<MetadataColumn> metadata = new ArrayList<>(row.metadata());
        for (RowField field : List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET)) {
            if (row.columnOf(field).isEmpty()) {
                metadata.add(own(field));
            }
        }
        metadata.add(own(RowField.RECORD_KEY));
        return new RowSettings(
                row.valueColumn(), row.keyMode(), row.key(), metadata, row.extractions(), row.fields(), row.values());
    }

    private static MetadataColumn own(RowField field) {
        return new MetadataColumn(field, "tidegate audit " + field.name());
    }

    private static String local(String name) {
        return name.substring("pg_temp.".length());
    }

    private static String quoted(List<Column> columns) {
        return columns.stream().map(Column::quoted).collect(Collectors.joining(", "));
    }

    /**
     * With the table's types and constraints, but without the columns that the sink does not write, and without
     * constraints that stored rows need not fulfil.
     */
    private void createLike(String table, TableShape shape, List<Column> written) throws SQLException {
        session.execute("CREATE TEMPORARY TABLE " + local(name) + " (LIKE " + table + " INCLUDING CONSTRAINTS)");
        for (String constraint : notValid(table)) {
            session.execute("ALTER TABLE " + name + " DROP CONSTRAINT IF EXISTS " + TableName.quote(constraint));
        }
        Set<String> kept = written.stream().map(Column::name).collect(Collectors.toSet());
        List<String> dropped = new ArrayList<>();
        session.read(
                "SELECT a.attname FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass('"
                        + name.replace("'", "''") + "') AND a.attnum > 0 AND NOT a.attisdropped",
                found -> dropped.add(found.getString(1)));
        dropped.removeIf(kept::contains);
        if (!dropped.isEmpty()) {
            session.execute("ALTER TABLE " + name
                    + dropped.stream()
                            .map(column -> " DROP COLUMN " + TableName.quote(column) + " CASCADE")
                            .collect(Collectors.joining(",")));
        }
        addOwnColumns(row.columns().stream()
                .filter(column -> !kept.contains(column.name()))
                .toList());
        for (Column column : written) {
            String altered = "ALTER TABLE " + name + " ALTER COLUMN " + column.quoted();
            if (column.name().equals(row.valueColumn()) && column.input() == RowField.VALUE) {
                // Nobody reads these rows for long, so compressing them would be waste.
                session.execute(altered + " SET STORAGE EXTERNAL");
            }
            if (column.input() instanceof DocumentField
                    && shape.fillingOf(column.name()).hasDefault()) {
                session.execute(altered + " DROP NOT NULL"); // here it has no default
            }
        }
    }

    /** Constraints that older rows need not fulfil. */
    private List<String> notValid(String table) throws SQLException {
        List<String> notValid = new ArrayList<>();
        session.read(
                "SELECT conname FROM pg_catalog.pg_constraint WHERE conrelid = pg_catalog.to_regclass("
                        + SqlExpression.literal(table) + ") AND NOT convalidated",
                constraint -> notValid.add(constraint.getString(1)));
        return notValid;
    }

    private void addOwnColumns(List<Column> columns) throws SQLException {
        session.execute("ALTER TABLE " + name
                + columns.stream()
                        .map(column -> " ADD COLUMN " + column.quoted() + ' ' + column.type())
                        .collect(Collectors.joining(",")));
    }

    /** The table, as written in a statement. */
    String name() {
        return name;
    }

    /** The column of a coordinate, or of the record's key, quoted. */
    String column(RowField field) {
        return row.columnOf(field).orElseThrow().quoted();
    }

    /**
     * Writes the rows of documents.
     *
     * @return how many of them the server refused
     */
    long write(List<Document> documents) throws ToolException, InterruptedException {
        List<Document> redirected = new ArrayList<>(documents.size());
        for (Document document : documents) {
            Document shown = keys.isPresent() ? keys.get().storable(document) : document;
            redirected.add(
                    isLog && shown.isDelete()
                            ? Document.write(shown.record(), shown.progress(), name, shown.key(), NOTHING)
                            : shown.redirectedTo(name));
        }
        return writer.write(redirected);
    }

    void truncate() throws SQLException {
        session.execute("TRUNCATE " + name);
    }
}
