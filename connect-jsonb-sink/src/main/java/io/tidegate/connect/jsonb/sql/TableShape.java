package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the server's catalogue says about a table. It may have changed since.
 *
 * @param table as written in a statement
 * @param qualified its name with the schema, quoted; empty if there is no such table, or if statements do not check
 *     whether it is still the same
 * @param columns by name; empty if there is no such table
 * @param takesCopy whether it is a table, partitioned or not, without row-level security and without rules, which
 *     {@code COPY} would ignore
 * @param keyIndex an index that refuses a second row with the same key
 * @param omitted the columns for which a statement has no field: a new row takes their defaults, merging leaves them as
 *     they are
 * @param pending fields that would get columns, if this were no trial. Rows leave them out
 */
public record TableShape(
        String table,
        String qualified,
        Map<String, ColumnShape> columns,
        boolean takesCopy,
        Optional<KeyIndex> keyIndex,
        Set<String> omitted,
        Set<String> pending) {
    /**
     * An index. It stays with its table if that gets another name.
     *
     * @param index its OID
     * @param table that of its table
     */
    public record KeyIndex(long index, long table) {}

    /**
     * A column.
     *
     * @param type as written in a cast that cuts nothing: the base type of a domain, without a length
     * @param binary the type whose binary form it has: its own, or {@code text} for an enumeration; empty if that is not
     *     known. The OID of the schema {@code pg_catalog} is fixed in PostgreSQL's {@code pg_namespace.dat}; a type of
     *     another schema is known by its receive function
     * @param declared the OID of the type that the column was declared with
     * @param place of the column in the table, counted from 1
     * @param filling how it is filled
     * @param mergesValues whether different values may be equal in it: it has a collation other than the database's,
     *     {@code C} and {@code POSIX}, or a length to which it rounds whole numbers or microseconds. The OIDs of these
     *     collations are fixed in PostgreSQL's {@code pg_collation.dat}; a negative scale has the bit 1024 of a
     *     {@code numeric}'s modifier
     */
    public record ColumnShape(
            String type, String binary, long declared, boolean mergesValues, int place, Filling filling) {
        public ColumnShape {
            requireNonNull(type, "type");
            requireNonNull(binary, "binary");
            requireNonNull(filling, "filling");
        }
    }

    /**
     * How a column is filled.
     *
     * @param isByServer whether only the server fills it: it is generated, an identity that is always generated, or a
     *     view computes it
     * @param hasDefault whether a row without it may get something else than NULL. A view does not say what its table does
     * @param takesNull whether it may be NULL
     */
    public record Filling(boolean isByServer, boolean hasDefault, boolean takesNull) {
        /** A column that a server without a catalogue says nothing of. */
        public static final Filling PLAIN = new Filling(false, false, true);

        /** Whether a row must have a value for it. */
        public boolean isRequired() {
            return !isByServer && !hasDefault && !takesNull;
        }
    }

    /**
     * The types that round to their length, and what they are called as functions that do it. Source: PostgreSQL's
     * {@code pg_cast.dat}.
     */
    private static final Map<String, String> ROUNDING = Map.of(
            "numeric", "numeric",
            "time without time zone", "time",
            "time with time zone", "timetz",
            "timestamp without time zone", "timestamp",
            "timestamp with time zone", "timestamptz",
            "interval", "interval");

    /** What {@link #isUnaltered} says in the error. */
    public static final String ALTERED = "the table has been altered since it was looked up";

    /** Types of the server's own catalogue. Source: PostgreSQL documentation, "Special Character Types". */
    private static final Set<String> CUTTING = Set.of("name", "name[]", "\"char\"", "\"char\"[]");

    /** The OIDs of the types that round, separated by commas. */
    static String rounding() {
        return ROUNDING.values().stream().map(type -> "'" + type + "'::regtype").collect(Collectors.joining(", "));
    }

    public TableShape {
        columns = Map.copyOf(columns);
        omitted = Set.copyOf(omitted);
        pending = Set.copyOf(pending);
    }

    /** A table of which no column is left out, and which gets none. */
    public TableShape(
            String table,
            String qualified,
            Map<String, ColumnShape> columns,
            boolean takesCopy,
            Optional<KeyIndex> keyIndex) {
        this(table, qualified, columns, takesCopy, keyIndex, Set.of(), Set.of());
    }

    /** What the standard calls types that it has no name for. */
    private static final Set<String> UNNAMED = Set.of("USER-DEFINED", "ARRAY");

    /** The same table for statements that use no function of the catalogue. */
    public TableShape unchecked() {
        return new TableShape(table, "", columns, false, Optional.empty(), omitted, pending);
    }

    /** Whether statements check that the table is still the same. */
    public boolean isChecked() {
        return !qualified.isEmpty();
    }

    private Optional<ColumnShape> find(String column) {
        return Optional.ofNullable(columns.get(column));
    }

    /** A cast to the type of a column, or nothing if the server has to find the type. */
    String castTo(String column) {
        return find(column)
                .filter(known -> !UNNAMED.contains(known.type()))
                .map(known -> "::" + known.type())
                .orElse("");
    }

    /**
     * A value as the column stores it, to be compared with one: rounded to the length that the column has when the
     * statement runs, and without the blanks behind it, which {@code varchar} cuts. One that is too long stays as it is.
     *
     * @param value of the column's type, without a length
     */
    String stored(String column, String value) {
        if (typeOf(column).equals("character varying") && isChecked()) {
            String cut = "pg_catalog.\"varchar\"(" + value + ", " + lengthOf(column) + ", true)";
            return "CASE WHEN pg_catalog.rtrim(" + cut + ") = pg_catalog.rtrim(" + value + ") THEN " + cut + " ELSE "
                    + value + " END";
        }
        String rounding = ROUNDING.get(typeOf(column));
        return rounding == null ? value : "pg_catalog.\"" + rounding + "\"(" + value + ", " + lengthOf(column) + ")";
    }

    /** A value of any type as the column stores it after an assignment. */
    String assigned(String column, String value) {
        String cast = castTo(column);
        return stored(column, cast.isEmpty() ? value : "(" + value + ")" + cast);
    }

    private String lengthOf(String column) {
        return "(SELECT a.atttypmod FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass("
                + SqlExpression.literal(table) + ") AND a.attname = " + SqlExpression.literal(column) + ")";
    }

    /**
     * The condition that these columns still have the types that they were declared with, and, if it is needed, that
     * this is still the table whose key has the index. Otherwise it fails, with {@link #saysAltered}. A statement
     * evaluates it after it has locked the table. It reads no row, so that it needs no privilege, and only {@code COPY}
     * evaluates it for each row.
     */
    String isUnaltered(List<Column> written, boolean needsIndex) {
        return isUnaltered(written, needsIndex, false);
    }

    /**
     * The same.
     *
     * @param ofAll whether the table must not have other columns either. The server compares them when it plans the
     *     statement, also a {@code COPY}, and raises 42804 if there are
     */
    String isUnaltered(List<Column> written, boolean needsIndex, boolean ofAll) {
        if (!isChecked()) {
            return "true";
        }
        Stream<String> all = Stream.of(ofAll)
                .filter(Boolean::booleanValue)
                .map(counted -> "pg_catalog.record_image_eq(ROW((NULL::" + qualified + ").*), ROW("
                        + columns.entrySet().stream()
                                .sorted(Comparator.comparing(
                                        column -> column.getValue().place()))
                                .map(column -> "(NULL::" + qualified + ")." + TableName.quote(column.getKey()))
                                .collect(Collectors.joining(", "))
                        + "))");
        Stream<String> types = written.stream()
                .filter(column -> columns.containsKey(column.name()))
                .map(column -> "pg_catalog.pg_typeof((NULL::" + qualified + ")." + column.quoted() + ")::oid = "
                        + columns.get(column.name()).declared());
        // The property is not NULL if there is such an index.
        Stream<String> index = keyIndex.stream()
                .filter(key -> needsIndex)
                .flatMap(key -> Stream.of(
                        SqlExpression.literal(table) + "::pg_catalog.regclass::oid = " + key.table(),
                        "pg_catalog.pg_index_has_property(" + key.index() + ", 'clusterable') IS NOT NULL"));
        String conditions = Stream.concat(Stream.concat(types, index), all).collect(Collectors.joining(" AND "));
        return conditions.isEmpty()
                ? "true"
                : "CASE WHEN " + conditions + " THEN true ELSE CAST(pg_catalog.concat('" + ALTERED
                        + "') AS boolean) END";
    }

    /** Whether a statement failed because of {@link #isUnaltered}. */
    public static boolean saysAltered(SQLException e) {
        return SqlState.INVALID_TEXT.equals(e.getSQLState()) && e.getMessage().contains(ALTERED);
    }

    /** The type of a column; empty if there is no such column. */
    public String typeOf(String column) {
        return find(column).map(ColumnShape::type).orElse("");
    }

    /** The place of a column in the table, counted from 1; 0 if there is no such column. */
    int placeOf(String column) {
        return find(column).map(ColumnShape::place).orElse(0);
    }

    /** The type whose binary form the values of a column have; empty if it is not known. */
    String binaryOf(String column) {
        return find(column).map(ColumnShape::binary).orElse("");
    }

    /** Whether a column of this type silently cuts longer values, to 63 bytes or to one, however they are sent. */
    public static boolean cuts(String type) {
        return CUTTING.contains(type);
    }

    /** Whether different values may be equal in a column, because of its collation or because it rounds them. */
    public boolean mergesValues(String column) {
        return find(column).map(ColumnShape::mergesValues).orElse(false);
    }

    /** The columns that a document's fields may fill, by name. None of them cuts a value. */
    public Stream<Map.Entry<String, ColumnShape>> fillable() {
        return columns.entrySet().stream()
                .filter(column -> !isClosed(column.getValue()) && !omitted.contains(column.getKey()))
                .sorted(Map.Entry.comparingByKey());
    }

    /** The columns that take no field: the server fills them, or they would cut a value. */
    public Set<String> closed() {
        return columns.entrySet().stream()
                .filter(column -> isClosed(column.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static boolean isClosed(ColumnShape column) {
        return column.filling().isByServer() || cuts(column.type());
    }

    /** How a column is filled; plainly, if there is no such column. */
    public Filling fillingOf(String column) {
        return find(column).map(ColumnShape::filling).orElse(Filling.PLAIN);
    }

    /** The same table for rows without these columns, which take their defaults. They are not looked at. */
    public TableShape without(Set<String> omitted) {
        return omitted.isEmpty()
                ? this
                : new TableShape(table, qualified, columns, takesCopy, keyIndex, omitted, pending);
    }

    /** The same table with fields that would get columns, instead of those known so far. */
    public TableShape withPending(Set<String> fields) {
        return new TableShape(table, qualified, columns, takesCopy, keyIndex, omitted, fields);
    }

    /** Whether the table exists. */
    public boolean exists() {
        return !columns.isEmpty();
    }
}
