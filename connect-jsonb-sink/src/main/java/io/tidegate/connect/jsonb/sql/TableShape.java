package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.Privilege;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /**
     * An explicit cast to {@code varchar(10)} silently cuts, and one to {@code numeric(10,2)} rounds, to the length
     * that the column had when it was looked up. An assignment uses the column's present length, and raises an error
     * where it would cut. So no cast names a length. A domain applies its length as a cast does, so its base type is
     * named; a domain's length cannot change, and one that rounds is kept. Source: PostgreSQL documentation, "Type
     * Casts" and "Character Types". {@code format_type} with -1 gives {@code bpchar}, because {@code character} alone
     * means length 1.
     */
    private static final String LOOK_UP = """
        SELECT b.name, format_type(b.type, CASE WHEN b.type IN (<rounding>) THEN b.modifier ELSE -1 END), b.copies,
          b.merges, b.declared, b.qualified, b.generated, b.filled, b.nullable,
          CASE WHEN t.typtype = 'e' THEN 'text'
            WHEN t.typnamespace = 11 THEN format_type(b.type, NULL)
            ELSE (SELECT replace(p.prosrc, '_recv', '') FROM pg_catalog.pg_proc p
              WHERE p.oid = t.typreceive AND p.prosrc IN ('vector_recv', 'halfvec_recv') AND p.probin LIKE '%/vector')
          END,
          (SELECT min(i.indexrelid) FROM pg_catalog.pg_index i
           WHERE i.indrelid = b.relation AND i.indisunique AND i.indimmediate AND i.indisvalid
             AND i.indpred IS NULL AND i.indexprs IS NULL AND ARRAY(
               SELECT a.attname::text FROM pg_catalog.pg_attribute a
                 JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) ON a.attnum = k.attnum
               WHERE a.attrelid = i.indrelid AND k.place <= i.indnkeyatts ORDER BY a.attname) = CAST(? AS text[])),
          b.place, b.relation
        FROM (
          WITH RECURSIVE base(name, type, modifier, copies, merges, declared, qualified, relation, generated,
            filled, nullable, place) AS (
            SELECT a.attname, a.atttypid, -1,
              c.relkind IN ('r', 'p') AND NOT c.relrowsecurity AND NOT c.relhasrules,
              CASE WHEN a.atttypid = 'numeric'::regtype THEN a.atttypmod >= 4 AND (a.atttypmod - 4) & 1024 <> 0
                WHEN a.atttypid IN (<rounding>) THEN a.atttypmod BETWEEN 0 AND 5
                ELSE a.attcollation NOT IN (0, 100, 950, 951) END,
              a.atttypid, format('%I.%I', n.nspname, c.relname),
              c.oid, a.attgenerated <> '' OR a.attidentity = 'a'
                OR (c.relkind = 'v' AND NOT pg_catalog.pg_column_is_updatable(c.oid, a.attnum, true)
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND g.tgtype & 68 = 68)
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite u
                    WHERE u.ev_class = c.oid AND u.ev_type = '3' AND u.is_instead)),
              a.atthasdef OR a.attidentity <> '' OR y.typdefault IS NOT NULL
                OR (c.relkind = 'v' AND NOT EXISTS (
                  SELECT FROM pg_catalog.pg_rewrite u
                    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = u.oid
                      AND d.refclassid = 'pg_catalog.pg_class'::regclass
                    JOIN pg_catalog.pg_class o ON o.oid = d.refobjid AND o.relkind IN ('r', 'p')
                    JOIN pg_catalog.pg_attribute f ON f.attrelid = o.oid AND f.attnum = d.refobjsubid
                  WHERE u.ev_class = c.oid AND f.attname = a.attname AND NOT f.atthasdef AND f.attidentity = '')),
              NOT a.attnotnull AND NOT y.typnotnull,
              a.attnum
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
            WHERE c.oid = pg_catalog.to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT d.name, t.typbasetype, t.typtypmod, d.copies, d.merges, d.declared, d.qualified,
              d.relation, d.generated, d.filled, d.nullable AND NOT t.typnotnull, d.place
            FROM base d JOIN pg_catalog.pg_type t ON t.oid = d.type WHERE t.typtype = 'd')
          SELECT * FROM base) AS b JOIN pg_catalog.pg_type t ON t.oid = b.type
        WHERE t.typtype <> 'd'
        """.replace("<rounding>", rounding());

    private static final String DECIMAL = "^-?[0-9]{1,30}([.][0-9]{1,30})?$";
    private static final String LEAP_YEAR =
            "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)";
    private static final String DATE =
            "((?!0000)[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|"
                    + LEAP_YEAR + "-02-29)";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?";
    private static final String TIMESTAMP = '^' + DATE + "[T ]" + TIME + "(Z|[+-](0[0-9]|1[0-4])(:[0-5][0-9])?)?$";

    /** Forms of text that the server reads without an error, as regular expressions, by type. */
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("smallint", "^-?[0-9]{1,4}$"),
            Map.entry("integer", "^-?[0-9]{1,9}$"),
            Map.entry("bigint", "^-?[0-9]{1,18}$"),
            Map.entry("numeric", DECIMAL),
            Map.entry("real", DECIMAL),
            Map.entry("double precision", DECIMAL),
            Map.entry("text", ""),
            Map.entry("character varying", ""),
            Map.entry("uuid", "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
            Map.entry("date", '^' + DATE + '$'),
            Map.entry("time without time zone", '^' + TIME + '$'),
            Map.entry("timestamp without time zone", TIMESTAMP),
            Map.entry("timestamp with time zone", TIMESTAMP),
            Map.entry("interval", "^P([0-9]{1,5}D)?T[0-9]{1,5}H([0-9]{1,5}M)?([0-9]{1,5}([.][0-9]{1,6})?S)?$"));

    /** Types of what Debezium counts. */
    private static final Set<String> COUNTED = Set.of(
            "date", "time without time zone", "timestamp without time zone", "timestamp with time zone", "interval");

    /** Arrays of numbers as {@code jsonb} writes them, which the types of pgvector read. */
    private static final Map<String, String> VECTORS =
            Map.of("vector", arrayOf("-?[0-9]{1,30}([.][0-9]+)?"), "halfvec", arrayOf("-?[0-9]{1,4}([.][0-9]+)?"));

    private static String arrayOf(String number) {
        return "^[[]" + number + "(, " + number + ")*[]]$";
    }

    /** What {@link #isUnaltered} says in the error. */
    public static final String ALTERED = "the table has been altered since it was looked up";

    /** Types of the server's own catalogue. Source: PostgreSQL documentation, "Special Character Types". */
    private static final Set<String> CUTTING = Set.of("name", "name[]", "\"char\"", "\"char\"[]");

    private static String rounding() {
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

    /**
     * Asks the server.
     *
     * @param key the columns whose values no two rows may share; may be empty
     */
    public static TableShape of(Connection connection, String table, List<String> key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK_UP)) {
            statement.setArray(
                    1, connection.createArrayOf("text", key.stream().sorted().toArray()));
            statement.setString(2, table);
            Optional<KeyIndex> keyIndex = Optional.empty();
            String qualified = "";
            Map<String, ColumnShape> columns = new HashMap<>();
            boolean takesCopy = false;
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    columns.put(
                            found.getString(1),
                            new ColumnShape(
                                    found.getString(2),
                                    Objects.requireNonNullElse(found.getString(10), ""),
                                    found.getLong(5),
                                    found.getBoolean(4),
                                    found.getInt(12),
                                    new Filling(found.getBoolean(7), found.getBoolean(8), found.getBoolean(9))));
                    takesCopy = found.getBoolean(3);
                    qualified = found.getString(6);
                    long index = found.getLong(11); // 0 for NULL
                    keyIndex = index == 0 ? Optional.empty() : Optional.of(new KeyIndex(index, found.getLong(13)));
                }
            }
            return new TableShape(table, qualified, columns, takesCopy, keyIndex);
        }
    }

    /** What the standard calls types that it has no name for. */
    private static final Set<String> UNNAMED = Set.of("USER-DEFINED", "ARRAY");

    /**
     * In all schemas: which of them the server would look in cannot be asked everywhere. A server may lack some of the standard's
     * columns.
     */
    private static final String PLAIN_LOOK_UP = "SELECT * FROM information_schema.columns WHERE table_name = ?";

    /** Asks a server without PostgreSQL's catalogue in the words of the SQL standard. */
    public static TableShape plain(Connection connection, String table) throws SQLException {
        List<String> name = TableName.parse(table).parts();
        Map<String, ColumnShape> columns = new HashMap<>();
        Set<String> ambiguous = new HashSet<>();
        Rows.of(
                connection,
                PLAIN_LOOK_UP,
                row -> {
                    if (name.size() == 1 || name.get(0).equals(row.getString("table_schema"))) {
                        String column = row.getString("column_name");
                        String type = row.getString("data_type");
                        Filling filling = plainFilling(row);
                        ColumnShape other = columns.get(column);
                        if (other != null && !other.type().equals(type)) {
                            ambiguous.add(column);
                        }
                        boolean isSure = other == null || other.filling().equals(filling);
                        columns.put(column, new ColumnShape(type, type, 0, true, 0, isSure ? filling : Filling.PLAIN));
                    }
                    return name;
                },
                name.get(name.size() - 1));
        ambiguous.forEach(columns::remove); // the server has to find their types
        return new TableShape(table, "", columns, false, Optional.empty());
    }

    private static Filling plainFilling(ResultSet column) throws SQLException {
        return new Filling(
                isSaid(column, "is_generated", "ALWAYS") || isSaid(column, "identity_generation", "ALWAYS"),
                isSaid(column, "column_default", "") || isSaid(column, "is_identity", "YES"),
                !isSaid(column, "is_nullable", "NO"));
    }

    /** Whether the view has the fact, with this value unless that is empty. */
    private static boolean isSaid(ResultSet column, String fact, String value) throws SQLException {
        ResultSetMetaData facts = column.getMetaData();
        for (int i = 1; i <= facts.getColumnCount(); i++) {
            if (facts.getColumnLabel(i).equals(fact)) {
                String said = column.getString(i);
                return said != null && (value.isEmpty() || said.equals(value));
            }
        }
        return false;
    }

    /** The same table for statements that use no function of the catalogue. */
    public TableShape unchecked() {
        return new TableShape(table, "", columns, false, Optional.empty(), omitted, pending);
    }

    /** Whether statements check that the table is still the same. */
    public boolean isChecked() {
        return !qualified.isEmpty();
    }

    /** Whether the table exists and we have all of these privileges on it, or on any of its columns. */
    public static boolean isGranted(Connection connection, String table, Set<Privilege> privileges)
            throws SQLException {
        String query = privileges.stream()
                .sorted()
                .map(privilege -> privilege == Privilege.DELETE
                        ? "has_table_privilege(t.id, 'DELETE')"
                        : "has_any_column_privilege(t.id, '" + privilege + "')")
                .collect(Collectors.joining(
                        " AND ", "SELECT ", " FROM (SELECT pg_catalog.to_regclass(?)::oid AS id) AS t"));
        return Rows.first(connection, query, row -> row.getBoolean(1), table) // null if there is no such table
                .orElse(false);
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

    /**
     * The condition that a column's value is that of a field in the rest, which got its column later. Times and bytes that
     * Connect knows have a text in JSON that PostgreSQL would not give them, and Debezium counts times. Any other text is read as the column's type,
     * if it has the type's usual form: reading another one could be an error.
     *
     * @param old the field, which is there, as {@code jsonb}
     * @param value the column's, as stored
     */
    public String isOfField(String column, String old, String value) {
        String text = old + " #>> '{}'";
        String written =
                switch (binaryOf(column)) {
                    case "bytea" -> "pg_catalog.translate(pg_catalog.encode(" + value + ", 'base64'), E'\\n', '')";
                    case "timestamp with time zone" ->
                        "pg_catalog.to_char(" + value + " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
                    case "time without time zone" ->
                        "pg_catalog.to_char(" + value + "::pg_catalog.interval, 'HH24:MI:SS.MS')";
                    default -> "";
                };
        boolean isVector = VECTORS.containsKey(binaryOf(column));
        String form = isVector ? VECTORS.get(binaryOf(column)) : TEXTS.get(typeOf(column));
        String asText = isVector ? "::text" : ""; // their operators may refuse other dimensions
        return "CASE WHEN " + old + " = COALESCE(pg_catalog.to_jsonb(" + value + "), 'null')"
                + (written.isEmpty() ? "" : " OR " + text + " = " + written) + " THEN true"
                + isOfCount(column, old, value)
                + (form == null
                        ? ""
                        : " WHEN " + text + " ~ '" + form + "' THEN ("
                                + stored(column, "(" + text + ")" + castTo(column)) + ")" + asText
                                + " IS NOT DISTINCT FROM (" + value + ")" + asText)
                + " ELSE false END";
    }

    /** The condition that columns of the table were dropped. Their values went with them, and their fields are in the rest since. */
    public String hasLostColumns() {
        return "EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass("
                + SqlExpression.literal(table) + ") AND a.attisdropped)";
    }

    /** The condition that a column may be one that was dropped and came back: another one before it was dropped. */
    public String mayHaveComeBack(String column) {
        return "EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass("
                + SqlExpression.literal(table) + ") AND a.attisdropped AND a.attnum < "
                + find(column).map(ColumnShape::place).orElse(0) + ")";
    }

    /**
     * The condition that what is left of a stored rest is in a rest, which may have more fields. It is false for anything but
     * objects.
     */
    public static String isWithin(String left, String rest) {
        return "CASE WHEN pg_catalog.jsonb_typeof(" + rest + ") = 'object' THEN (" + rest + " || " + left
                + ")::text COLLATE \"C\" = (" + rest + ")::text ELSE false END";
    }

    /** The branch for a number of days, or of milli-, micro- or nanoseconds; nothing for a column of another type. */
    private String isOfCount(String column, String old, String value) {
        if (!COUNTED.contains(binaryOf(column))) {
            return "";
        }
        String finite = binaryOf(column).startsWith("time ") ? value + "::pg_catalog.interval" : value;
        String micros = "(EXTRACT(epoch FROM " + value + ") * 1000000)::bigint";
        String number = "(" + old + " #>> '{}')::pg_catalog.numeric";
        return " WHEN pg_catalog.jsonb_typeof(" + old + ") = 'number' AND pg_catalog.isfinite(" + finite + ") THEN "
                + (binaryOf(column).equals("date")
                        ? number + " * 86400000000 = " + micros
                        : number + " IN (" + micros + ", " + micros + " / 1000.0) OR pg_catalog.round(" + number
                                + " / 1000) = " + micros);
    }

    /** Whether a statement failed because of {@link #isUnaltered}. */
    public static boolean saysAltered(SQLException e) {
        return SqlState.INVALID_TEXT.equals(e.getSQLState()) && e.getMessage().contains(ALTERED);
    }

    /** The type of a column; empty if there is no such column. */
    public String typeOf(String column) {
        return find(column).map(ColumnShape::type).orElse("");
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
