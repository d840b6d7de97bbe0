package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The parts of statements that do not depend on how rows are sent. In them {@code o} is an existing row and {@code r}
 * is a row that is sent, with the fields {@code v0}, {@code v1} and so on.
 */
public final class RowSql {
    private final RowSettings row;
    private final InsertSettings insert;
    private final List<Column> columns;
    private final List<RowField> inputs;

    public RowSql(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.insert = requireNonNull(insert, "insert");
        this.columns = row.columns();
        this.inputs = columns.stream().map(Column::input).distinct().toList();
    }

    /** The columns that are written. */
    List<Column> columns() {
        return columns;
    }

    /** Why the table could not store rows unchanged; empty if it can. */
    public Optional<String> flaw(TableShape shape) {
        return columns.stream()
                .filter(column -> TableShape.cuts(shape.typeOf(column.name())))
                .findFirst()
                .map(column -> "column " + column.name() + " of " + shape.table() + " is of type "
                        + shape.typeOf(column.name()) + ", which silently truncates longer values; make it text");
    }

    /** Whether existing rows are treated as {@code insert.mode} says. */
    public boolean isResolving() {
        return insert.mode().isResolving();
    }

    /** Whether a statement is right only as long as the table has the index of its key, so that it checks that. */
    boolean needsIndex(boolean onConflict) {
        return onConflict != isResolving();
    }

    /** Makes an encoder for a record's key and headers. One lane uses it. */
    MetadataEncoder metadataEncoder() {
        return row.values().metadataEncoder();
    }

    /** The fields that are sent for each row, in this order. Several columns may come from one field. */
    List<RowField> inputs() {
        return inputs;
    }

    /** Whether each column takes one field as it is, so that rows need no {@code SELECT}. */
    boolean isPlain(TableShape shape) {
        return inputs.size() == columns.size()
                && columns.stream()
                        .allMatch(column -> column.expression() == SqlExpression.PLAIN
                                || (column.isPlain()
                                        && !shape.castTo(column.name()).equals("::bigint")));
    }

    /**
     * Whether a field may be sent as {@code jsonb}. A column of another type takes the text unchanged, as with every
     * method. The driver would ask the catalogue for the type.
     */
    boolean isJsonb(RowField input, TableShape shape) {
        return input.wire() == WireType.JSON
                && shape.isChecked()
                && columns.stream()
                        .filter(column -> column.input() == input && column.isPlain())
                        .map(column -> shape.typeOf(column.name()))
                        .allMatch(type -> type.isEmpty() || type.equals("jsonb"));
    }

    /** {@code COPY table (columns) FROM STDIN}, in binary. */
    String copyInto(TableShape shape) {
        return "COPY " + shape.table() + ' ' + list(columns) + " FROM STDIN (FORMAT binary) WHERE "
                + shape.isUnaltered(columns, needsIndex(false));
    }

    /** {@code INSERT INTO table AS o (columns) }. */
    String insertInto(String table) {
        return "INSERT INTO " + table + " AS o " + list(columns) + ' ';
    }

    /**
     * A whole insert. Its rows are a table expression of the fields. It fails if a column's type is not what it was,
     * because the type decides how a value is sent and computed.
     *
     * @param rows such as {@code unnest(...)}
     * @param onConflict whether existing rows are treated as {@code insert.mode} says
     */
    String insertFrom(TableShape shape, String rows, boolean onConflict) {
        if (onConflict && !isResolving()) {
            return insertInto(shape.table()) + selectUnstored(shape, rows) + " AND " + shape.isUnaltered(columns, true);
        }
        return insertInto(shape.table())
                + selectFrom(shape, rows)
                + " WHERE "
                + shape.isUnaltered(columns, needsIndex(onConflict))
                + (onConflict ? conflictClause(shape) : "");
    }

    /** The columns that tell a row: its key, or its coordinates in Kafka. */
    public List<String> identifying() {
        Stream<Column> identifying = row.keyColumns().isEmpty()
                ? Stream.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET)
                        .flatMap(input -> row.columnOf(input).stream())
                : row.keyColumns().stream();
        return identifying.map(Column::name).toList();
    }

    /**
     * The rows that are not stored with the same values in all columns. The index of the identifying columns finds
     * them. The bytes of texts are compared, because {@code json} has no equality, and because a type or a collation
     * may take different texts for equal.
     */
    private String selectUnstored(TableShape shape, String rows) {
        List<String> identifying = identifying();
        String isSame = columns.stream()
                .map(column -> {
                    String stored = "e." + column.quoted();
                    String sent = shape.stored(column.name(), "n." + column.quoted());
                    return (identifying.contains(column.name()) ? stored + " = " + sent + " AND " : "") + stored
                            + "::text COLLATE \"C\" IS NOT DISTINCT FROM (" + sent + ")::text";
                })
                .collect(Collectors.joining(" AND "));
        return "SELECT * FROM (" + selectFrom(shape, rows) + ") AS n" + list(columns)
                + " WHERE NOT EXISTS (SELECT FROM " + shape.table() + " AS e WHERE " + isSame + ")";
    }

    /** A query for the columns as the server computes them from rows, which are a table expression of the fields. */
    String selectFrom(TableShape shape, String rows) {
        String values = columns.stream()
                .map(column -> column.expression().sql(input(column), shape.castTo(column.name())))
                .collect(Collectors.joining(", "));
        return "SELECT " + values + " FROM " + parsedOnce(rows);
    }

    private String input(Column column) {
        return "r.v" + inputs.indexOf(column.input());
    }

    /**
     * If several columns come from the value, a subquery parses it once. {@code OFFSET 0} keeps the planner from
     * removing that subquery.
     */
    private String parsedOnce(String rows) {
        String names =
                IntStream.range(0, inputs.size()).mapToObj(i -> "v" + i).collect(Collectors.joining(", ", "(", ")"));
        long ofValue = columns.stream()
                .filter(column -> column.input() == RowField.VALUE)
                .count();
        if (ofValue == 1) {
            return rows + " AS r" + names;
        }
        String parsed = IntStream.range(0, inputs.size())
                .mapToObj(i -> "s.v" + i + (inputs.get(i) == RowField.VALUE ? "::jsonb AS v" + i : ""))
                .collect(Collectors.joining(", "));
        return "(SELECT " + parsed + " FROM " + rows + " AS s" + names + " OFFSET 0) AS r";
    }

    /** The clause that handles existing rows, with a leading space. */
    String conflictClause(TableShape shape) {
        String target = " ON CONFLICT " + list(row.keyColumns());
        if (!insert.mode().isUpdating()) {
            return target + " DO NOTHING";
        }
        List<Column> changed = changedColumns();
        if (changed.isEmpty()) {
            return target + " DO NOTHING";
        }
        String assignments = changed.stream()
                .map(column -> column.quoted() + " = " + updated(column, shape))
                .collect(Collectors.joining(", "));
        List<String> conditions = new ArrayList<>();
        StaleCondition.of(insert.guard(), row, "EXCLUDED").ifPresent(conditions::add);
        if (insert.skipsUnchanged()) {
            conditions.add(isChanged(shape));
        }
        return target + " DO UPDATE SET " + assignments
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    private List<Column> changedColumns() {
        List<String> key = row.keyColumns().stream().map(Column::name).toList();
        return columns.stream().filter(column -> !key.contains(column.name())).toList();
    }

    /**
     * The new value of a column in an existing row. A column that comes from the document is computed from the merged
     * document.
     */
    private String updated(Column column, TableShape shape) {
        if (!insert.mode().isMerging() || column.input() != RowField.VALUE) {
            return "EXCLUDED." + column.quoted();
        }
        String value = TableName.quote(row.valueColumn());
        // Only two objects are merged: || would append to an array each time that a record is delivered.
        String merged = "CASE WHEN jsonb_typeof(o." + value + ") = 'object' AND jsonb_typeof(EXCLUDED." + value
                + ") = 'object' THEN o." + value + " || EXCLUDED." + value + " ELSE EXCLUDED." + value + " END";
        return column.isPlain() ? merged : column.expression().sql("(" + merged + ")", shape.castTo(column.name()));
    }

    /**
     * Whether a column that comes from the value changes. Metadata does not count, because it differs from record to
     * record.
     */
    private String isChanged(TableShape shape) {
        List<Column> compared = changedColumns().stream()
                .filter(column -> column.input() == RowField.VALUE)
                .toList();
        return compared.stream().map(column -> "o." + column.quoted()).collect(Collectors.joining(", ", "(", ")"))
                + " IS DISTINCT FROM "
                + compared.stream()
                        .map(column -> shape.stored(column.name(), updated(column, shape)))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String list(List<Column> columns) {
        return columns.stream().map(Column::quoted).collect(Collectors.joining(", ", "(", ")"));
    }
}
