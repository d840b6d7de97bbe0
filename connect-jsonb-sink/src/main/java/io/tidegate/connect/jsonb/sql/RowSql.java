package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.jsonb.field.CellForm;
import io.tidegate.connect.jsonb.field.FieldLayout;
import io.tidegate.connect.jsonb.field.MissingFields;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.RowInput;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of statements that do not depend on how rows are sent. In them {@code o} is an existing row and {@code r}
 * is a row that is sent, with the fields {@code v0}, {@code v1} and so on.
 */
public final class RowSql {
    private static final Logger log = LoggerFactory.getLogger(RowSql.class);

    /** Types of a column that keep the text of a document. */
    private static final Set<String> OF_TEXT = Set.of("json", "text", "character varying");

    /** What tells a record from all others. */
    private static final Set<RowInput> COORDINATES = Set.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET);

    private final RowSettings row;
    private final InsertSettings insert;
    private final List<Column> declared;
    private final Set<String> declaredNames;

    public RowSql(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.insert = requireNonNull(insert, "insert");
        this.declared = row.columns();
        this.declaredNames = declared.stream().map(Column::name).collect(Collectors.toSet());
    }

    /** The columns of a table that are written: those that the settings name, then those of fields. */
    public List<Column> columns(TableShape shape) {
        if (!row.fields().isOn()) {
            return declared;
        }
        List<Column> columns = new ArrayList<>(declared);
        shape.fillable()
                .filter(column -> !declaredNames.contains(column.getKey()))
                .map(column -> Column.of(
                        column.getKey(),
                        new DocumentField(
                                column.getKey(),
                                column.getValue().type(),
                                column.getValue().binary())))
                .forEach(columns::add);
        return columns;
    }

    /** Where the fields of a table's documents go; empty if documents are stored as one value. */
    Optional<FieldLayout> layout(TableShape shape) {
        if (!row.fields().isOn()) {
            return Optional.empty();
        }
        return Optional.of(new FieldLayout(
                columns(shape).stream()
                        .filter(column -> column.input() instanceof DocumentField)
                        .map(column -> (DocumentField) column.input())
                        .toList(),
                elsewhere(shape),
                shape.closed(),
                row.fields().unknown(),
                !shape.fillingOf(row.valueColumn()).takesNull(),
                row.fields().areTextsRead(),
                row.values().characters()));
    }

    /** The field by which older records are kept out; empty if none is. */
    public Optional<String> guardingField() {
        return insert.guard().isField() ? Optional.of(insert.guard().setting()) : Optional.empty();
    }

    /** Whether the table has no column yet for the field by which older records are kept out. */
    public boolean lacksGuard(TableShape shape) {
        return guardingField()
                .filter(field -> !shape.columns().containsKey(field))
                .isPresent();
    }

    /** Warns if the guard's column keeps texts, which may be numbers. */
    public void warnOfTextGuard(TableShape shape) {
        guardingField()
                .filter(field -> OF_TEXT.contains(shape.typeOf(field)))
                .ifPresent(field -> log.warn(
                        "{}: stale.write.guard={} compares texts, where 10 is older than 9. If the values are numbers,"
                                + " change the column's type",
                        shape.table(),
                        field));
    }

    /** Names of fields that have a column, or that are elsewhere in the row. */
    public Set<String> fieldsInRow(TableShape shape) {
        Set<String> fields = new HashSet<>(shape.columns().keySet());
        fields.addAll(elsewhere(shape));
        return fields;
    }

    /** Fields that no column takes here, and that are not unknown. */
    private Set<String> elsewhere(TableShape shape) {
        if (shape.pending().isEmpty()) {
            return row.fieldsOfKey();
        }
        Set<String> fields = new HashSet<>(shape.pending());
        fields.addAll(row.fieldsOfKey());
        return fields;
    }

    /**
     * Finds the columns of a table that must be left out where a document has no field for them: merging leaves them as
     * they are, and those with a default take it.
     */
    public MissingFields leftOut(TableShape shape) {
        List<String> withDefault = ofFields(shape, TableShape.Filling::hasDefault);
        return new MissingFields(
                insert.mode().isMerging() ? ofFields(shape, filling -> true) : withDefault, withDefault);
    }

    /**
     * The columns that merging leaves as they are, and that a new row cannot do without. The server checks a row for NULL
     * before it finds that there is one with its key, so they come from the stored row.
     */
    private List<String> kept(TableShape shape) {
        return shape.omitted().stream()
                .filter(column -> isFromStored(column, shape))
                .sorted()
                .toList();
    }

    /** Not the guard's column: with the stored value, a document without one would count as new. */
    private boolean isFromStored(String column, TableShape shape) {
        return isMergedInto(column) && shape.fillingOf(column).isRequired();
    }

    private boolean isMergedInto(String column) {
        boolean isGuard = insert.guard().isField() && insert.guard().setting().equals(column);
        return insert.mode().isMerging() && !isGuard;
    }

    /** Whether a row takes columns from the stored one. */
    boolean keeps(TableShape shape) {
        return !kept(shape).isEmpty();
    }

    private List<String> ofFields(TableShape shape, Predicate<TableShape.Filling> which) {
        return shape.fillable()
                .filter(column -> !declaredNames.contains(column.getKey())
                        && which.test(column.getValue().filling()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Why the table could not store rows unchanged; empty if it can. */
    public Optional<String> flaw(TableShape shape) {
        return declared.stream()
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
    List<RowInput> inputs(TableShape shape) {
        return columns(shape).stream().map(Column::input).distinct().toList();
    }

    /** Whether fields of documents have columns. */
    public boolean hasFields() {
        return row.fields().isOn();
    }

    /** The values of some rows for each column, in order. */
    RowValues valuesByColumn(TableShape shape, List<Document> rows, MetadataEncoder encoder) throws SQLException {
        List<RowInput> inputs = columns(shape).stream().map(Column::input).toList();
        return RowValues.of(inputs, layout(shape), rows, CellForm.COLUMN, encoder);
    }

    /** Most inputs of a row: PostgreSQL's tables have at most 1,600 columns ({@code MaxHeapAttributeNumber}). */
    int mostInputs() {
        return row.fields().isOn()
                ? 1_600
                : (int) declared.stream().map(Column::input).distinct().count();
    }

    /** The values of some rows. */
    RowValues values(TableShape shape, List<Document> rows, CellForm form, MetadataEncoder encoder)
            throws SQLException {
        return RowValues.of(inputs(shape), layout(shape), rows, form, encoder);
    }

    /** Whether each column takes one field as it is, so that rows need no {@code SELECT}. */
    boolean isPlain(TableShape shape) {
        List<Column> columns = columns(shape);
        boolean mayGetColumns = row.fields().isOn() && shape.isChecked();
        return !mayGetColumns
                && !keeps(shape)
                && inputs(shape).size() == columns.size()
                && columns.stream()
                        .allMatch(column -> column.expression() == SqlExpression.PLAIN
                                || (column.isPlain()
                                        && !shape.castTo(column.name()).equals("::bigint")));
    }

    /**
     * Whether an input may be sent as {@code jsonb} and not as text, as fields of a document are. A column of another type takes the text unchanged, as with every
     * method. The driver would ask the catalogue for the type.
     */
    boolean isJsonb(RowInput input, TableShape shape) {
        return input.wire() == WireType.JSON
                && input instanceof RowField
                && shape.isChecked()
                && columns(shape).stream()
                        .filter(column -> column.input().equals(input) && column.isPlain())
                        .map(column -> shape.typeOf(column.name()))
                        .allMatch(type -> type.isEmpty() || type.equals("jsonb"));
    }

    /** {@code COPY table (columns) FROM STDIN}, in binary. */
    String copyInto(TableShape shape) {
        List<Column> columns = columns(shape);
        return "COPY " + shape.table() + ' ' + list(columns) + " FROM STDIN (FORMAT binary) WHERE "
                + isUnaltered(shape, needsIndex(false));
    }

    private String isUnaltered(TableShape shape, boolean needsIndex) {
        return shape.isUnaltered(columns(shape), needsIndex, row.fields().isOn());
    }

    /** {@code INSERT INTO table AS o (columns) }, without the list if each row takes all defaults. */
    String insertInto(TableShape shape) {
        String names = Stream.concat(
                        columns(shape).stream().map(Column::quoted),
                        kept(shape).stream().map(TableName::quote))
                .collect(Collectors.joining(", "));
        return "INSERT INTO " + shape.table() + " AS o " + (names.isEmpty() ? "" : "(" + names + ") ");
    }

    /** Rows that take all defaults, for a server without functions. */
    String insertDefaults(TableShape shape, int rows) {
        String column = shape.columns().keySet().stream().sorted().findFirst().orElseThrow();
        return insertInto(shape) + "(" + TableName.quote(column) + ") VALUES (DEFAULT)"
                + ", (DEFAULT)".repeat(rows - 1);
    }

    /** A table expression of rows without fields. */
    static String withoutFields(int rows) {
        return "pg_catalog.generate_series(1, " + rows + ")";
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
            return insertInto(shape) + selectUnstored(shape, rows) + " AND " + isUnaltered(shape, true);
        }
        return insertInto(shape)
                + selectProposed(shape, rows)
                + " WHERE "
                + isUnaltered(shape, needsIndex(onConflict))
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
     * The rows that are not stored with the same values. The index of the identifying columns finds them. The bytes of
     * texts are compared, because {@code json} has no equality, and because a type or a collation may take different
     * texts for equal.
     */
    private String selectUnstored(TableShape shape, String rows) {
        List<Column> columns = columns(shape);
        Map<Column, String> stored = new LinkedHashMap<>();
        columns.forEach(column -> stored.put(column, "e." + column.quoted()));
        Map<Column, String> sent = new LinkedHashMap<>();
        columns.forEach(column -> sent.put(column, asStored(column, shape, "n." + column.quoted())));
        Set<String> identifying = Set.copyOf(identifying());
        String hasKey = columns.stream()
                .filter(column -> identifying.contains(column.name()))
                .map(column -> stored.get(column) + " = " + sent.get(column))
                .collect(Collectors.joining(" AND "));
        String isEqual = columns.stream()
                .map(column -> isSame(stored.get(column), sent.get(column)))
                .collect(Collectors.joining(" AND "));
        EarlierRow earlier = new EarlierRow(shape);
        String hadOtherColumns = columns.stream()
                .filter(column -> column.input() == RowField.VALUE
                        && row.fields().isOn()
                        && shape.typeOf(column.name()).equals("jsonb"))
                .map(rest -> " OR " + earlier.hadFewerColumns(rest, stored, sent)
                        + (isIdentifiedByCoordinates()
                                ? " OR " + earlier.hasLostColumns() + " AND " + earlier.lostColumns(rest, stored, sent)
                                : ""))
                .collect(Collectors.joining());
        return "SELECT * FROM (" + selectFrom(shape, rows) + ") AS n" + list(columns)
                + " WHERE NOT EXISTS (SELECT FROM " + shape.table() + " AS e WHERE " + hasKey + " AND (" + isEqual
                + hadOtherColumns + "))";
    }

    /** A value that was sent, as the column stores it. One that is extracted may be of another type. */
    private static String asStored(Column column, TableShape shape, String value) {
        boolean isExtracted = column.input() == RowField.VALUE && !column.isPlain();
        return isExtracted ? shape.assigned(column.name(), value) : shape.stored(column.name(), value);
    }

    /** Whether a row that is stored is of the same record. A key may come again with another document. */
    private boolean isIdentifiedByCoordinates() {
        Set<String> identifying = Set.copyOf(identifying());
        return declared.stream()
                .filter(column -> identifying.contains(column.name()))
                .allMatch(column -> COORDINATES.contains(column.input()));
    }

    /** Whether two values have the same text. */
    static String isSame(String stored, String sent) {
        return stored + "::text COLLATE \"C\" IS NOT DISTINCT FROM (" + sent + ")::text";
    }

    /** A query for the columns as the server computes them from rows, which are a table expression of the fields. */
    String selectFrom(TableShape shape, String rows) {
        List<RowInput> inputs = inputs(shape);
        return select(shape, rows, columns(shape).stream().map(column -> computed(column, shape, inputs)));
    }

    /** The same with what the stored row has where the document says nothing of a column that takes no NULL. */
    private String selectProposed(TableShape shape, String rows) {
        List<RowInput> inputs = inputs(shape);
        Stream<String> proposed = columns(shape).stream().map(column -> proposed(column, shape, inputs));
        Stream<String> kept = kept(shape).stream().map(column -> stored(column, shape, inputs));
        return select(shape, rows, Stream.concat(proposed, kept));
    }

    private String select(TableShape shape, String rows, Stream<String> values) {
        return "SELECT " + values.collect(Collectors.joining(", ")) + " FROM " + parsedOnce(shape, rows);
    }

    private String computed(Column column, TableShape shape, List<RowInput> inputs) {
        String value = takesText(column, shape) ? "r.sent" : "r.v" + inputs.indexOf(column.input());
        return column.expression().sql(value, shape.castTo(column.name()));
    }

    /** The value of a column in the row that has the key. */
    private String stored(String column, TableShape shape, List<RowInput> inputs) {
        return "(SELECT e." + TableName.quote(column) + " FROM " + shape.table() + " AS e WHERE "
                + row.keyColumns().stream()
                        .map(key ->
                                "e." + key.quoted() + " = " + shape.stored(key.name(), computed(key, shape, inputs)))
                        .collect(Collectors.joining(" AND "))
                + ')';
    }

    /**
     * What is proposed for a column. One that takes no NULL is computed from the merged document, and the server checks
     * the proposed row before it merges.
     */
    private String proposed(Column column, TableShape shape, List<RowInput> inputs) {
        boolean isOfMerged = column.input() == RowField.VALUE
                && !column.isPlain()
                && isMergedInto(column.name())
                && !shape.fillingOf(column.name()).takesNull(); // its default is not used, as it is proposed
        String computed = computed(column, shape, inputs);
        return isOfMerged ? "COALESCE(" + computed + ", " + stored(column.name(), shape, inputs) + ")" : computed;
    }

    /** Whether several columns come from the value. */
    private boolean isParsedOnce() {
        return declared.stream()
                        .filter(column -> column.input() == RowField.VALUE)
                        .count()
                > 1;
    }

    /** Whether a column stores the text of a document that is parsed for others. */
    private boolean takesText(Column column, TableShape shape) {
        return isParsedOnce()
                && column.input() == RowField.VALUE
                && column.isPlain()
                && OF_TEXT.contains(shape.typeOf(column.name()));
    }

    /**
     * If several columns come from the value, a subquery parses it once. A column that keeps the text takes it as it was
     * {@code sent}. {@code OFFSET 0} keeps the planner from removing that subquery.
     */
    private String parsedOnce(TableShape shape, String rows) {
        List<RowInput> inputs = inputs(shape);
        if (inputs.isEmpty()) {
            return rows + " AS r";
        }
        String names =
                IntStream.range(0, inputs.size()).mapToObj(i -> "v" + i).collect(Collectors.joining(", ", "(", ")"));
        if (!isParsedOnce()) {
            return rows + " AS r" + names;
        }
        String sent = columns(shape).stream().anyMatch(column -> takesText(column, shape))
                ? ", s.v" + inputs.indexOf(RowField.VALUE) + " AS sent"
                : "";
        String parsed = IntStream.range(0, inputs.size())
                .mapToObj(i -> "s.v" + i + (inputs.get(i) == RowField.VALUE ? "::jsonb AS v" + i + sent : ""))
                .collect(Collectors.joining(", "));
        return "(SELECT " + parsed + " FROM " + rows + " AS s" + names + " OFFSET 0) AS r";
    }

    /** The clause that handles existing rows, with a leading space. */
    String conflictClause(TableShape shape) {
        String target = " ON CONFLICT " + list(row.keyColumns());
        if (!insert.mode().isUpdating()) {
            return target + " DO NOTHING";
        }
        List<Column> changed = changedColumns(shape);
        if (changed.isEmpty()) {
            return target + " DO NOTHING";
        }
        String assignments = changed.stream()
                .map(column -> column.quoted() + " = " + updated(column, shape))
                .collect(Collectors.joining(", "));
        List<String> conditions = new ArrayList<>();
        StaleCondition.of(insert, row, shape, "EXCLUDED", () -> isChanged(shape))
                .ifPresent(conditions::add);
        if (insert.skipsUnchanged()) {
            conditions.add(isChanged(shape));
        }
        return target + " DO UPDATE SET " + assignments
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    private List<Column> changedColumns(TableShape shape) {
        List<String> key = row.keyColumns().stream().map(Column::name).toList();
        return columns(shape).stream()
                .filter(column -> !key.contains(column.name()))
                .toList();
    }

    /**
     * The new value of a column in an existing row. A column that comes from the document is computed from the merged
     * document.
     */
    private String updated(Column column, TableShape shape) {
        if (!insert.mode().isMerging() || column.input() != RowField.VALUE) {
            return "EXCLUDED." + column.quoted();
        }
        if (row.fields().isOn()) {
            return mergedRest(shape);
        }
        String value = TableName.quote(row.valueColumn());
        // Only two objects are merged: || would append to an array each time that a record is delivered.
        String merged = "CASE WHEN jsonb_typeof(o." + value + ") = 'object' AND jsonb_typeof(EXCLUDED." + value
                + ") = 'object' THEN o." + value + " || EXCLUDED." + value + " ELSE EXCLUDED." + value + " END";
        return column.isPlain() ? merged : column.expression().sql("(" + merged + ")", shape.castTo(column.name()));
    }

    /**
     * The rest of a row whose other fields the document changes. A field that got a column after the row was written is in
     * the rest, until a document has it.
     */
    private String mergedRest(TableShape shape) {
        String value = TableName.quote(row.valueColumn());
        String old = "o." + value;
        String sent = "EXCLUDED." + value;
        String left = "(" + old + " - " + withColumns(columns(shape)) + ")";
        String nothing = shape.fillingOf(row.valueColumn()).takesNull() ? "NULLIF(" + left + ", '{}')" : left;
        return "CASE WHEN jsonb_typeof(" + old + ") = 'object' AND " + sent + " IS NULL THEN " + nothing
                + " WHEN jsonb_typeof(" + old + ") = 'object' AND jsonb_typeof(" + sent + ") = 'object' THEN " + left
                + " || " + sent + " ELSE " + sent + " END";
    }

    /** The names of fields that have columns, as an array. */
    static String withColumns(Collection<Column> columns) {
        return columns.stream()
                .filter(column -> column.input() instanceof DocumentField)
                .map(column -> SqlExpression.literal(column.name()))
                .collect(Collectors.joining(", ", "ARRAY[", "]::text[]"));
    }

    /**
     * Whether a column that comes from the value changes. Metadata does not count, because it differs from record to
     * record.
     */
    private String isChanged(TableShape shape) {
        List<Column> compared = changedColumns(shape).stream()
                .filter(column -> column.input().isOfValue())
                .toList();
        if (compared.isEmpty()) {
            return "false";
        }
        return compared.stream()
                        .map(column -> comparable(column, shape, "o." + column.quoted()))
                        .collect(Collectors.joining(", ", "(", ")"))
                + " IS DISTINCT FROM "
                + compared.stream()
                        .map(column -> comparable(column, shape, shape.stored(column.name(), updated(column, shape))))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * The texts of types that have no equality, such as {@code json} and {@code point}, or that may take different values for
     * equal. Equal numbers may have several texts.
     */
    private static String comparable(Column column, TableShape shape, String value) {
        String type = shape.typeOf(column.name());
        boolean isText = column.input() instanceof DocumentField
                || !(type.isEmpty() || type.equals("jsonb") || type.startsWith("numeric"));
        return isText ? "(" + value + ")::text COLLATE \"C\"" : value;
    }

    private static String list(List<Column> columns) {
        return columns.stream().map(Column::quoted).collect(Collectors.joining(", ", "(", ")"));
    }
}
