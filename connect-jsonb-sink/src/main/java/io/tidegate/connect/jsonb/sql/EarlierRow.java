package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Conditions for a row that was written when its table had other columns. A field that got a column later is in the
 * row's rest. What a column had that was dropped is gone.
 */
public final class EarlierRow {
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

    private final TableShape shape;

    /**
     * A row of a table.
     *
     * @param shape of the table now
     */
    public EarlierRow(TableShape shape) {
        this.shape = requireNonNull(shape, "shape");
    }

    /** Whether a row is the same, but has in its rest the fields that got a column after it was written. */
    String hadFewerColumns(Column rest, Map<Column, String> stored, Map<Column, String> sent) {
        String left = "NULLIF(" + stored.get(rest) + " - " + RowSql.withColumns(sent.keySet()) + ", '{}')";
        return sent.keySet().stream()
                .map(column -> {
                    String isSame = RowSql.isSame(stored.get(column), sent.get(column));
                    if (!(column.input() instanceof DocumentField)) {
                        return column.equals(rest)
                                ? RowSql.isSame(left, "NULLIF(" + sent.get(rest) + ", '{}')")
                                : isSame;
                    }
                    String old = stored.get(rest) + " -> " + SqlExpression.literal(column.name());
                    return "CASE WHEN " + old + " IS NULL THEN " + isSame + " ELSE "
                            + isOfField(column.name(), "(" + old + ")", sent.get(column)) + " END";
                })
                .collect(Collectors.joining(
                        " AND ",
                        "CASE WHEN jsonb_typeof(" + stored.get(rest) + ") = 'object' THEN ",
                        " ELSE false END"));
    }

    /** Whether a row is the same but for fields whose column was dropped after it was written, and may have come back. */
    String lostColumns(Column rest, Map<Column, String> stored, Map<Column, String> sent) {
        String old = "COALESCE(" + stored.get(rest) + ", '{}')";
        return sent.keySet().stream()
                .map(column -> {
                    String isSame = RowSql.isSame(stored.get(column), sent.get(column));
                    if (!(column.input() instanceof DocumentField)) {
                        return column.equals(rest)
                                ? isWithin(
                                        "(" + old + " - " + RowSql.withColumns(sent.keySet()) + ")",
                                        "COALESCE(" + sent.get(rest) + ", '{}')")
                                : isSame;
                    }
                    String field = "(" + old + " -> " + SqlExpression.literal(column.name()) + ")";
                    return "CASE WHEN " + field + " IS NULL THEN " + stored.get(column) + " IS NULL AND "
                            + mayHaveComeBack(column.name()) + " OR " + isSame + " ELSE "
                            + isOfField(column.name(), field, sent.get(column)) + " END";
                })
                .collect(Collectors.joining(
                        " AND ", "CASE WHEN jsonb_typeof(" + old + ") = 'object' THEN ", " ELSE false END"));
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
                switch (shape.binaryOf(column)) {
                    case "bytea" -> "pg_catalog.translate(pg_catalog.encode(" + value + ", 'base64'), E'\\n', '')";
                    case "timestamp with time zone" ->
                        "pg_catalog.to_char(" + value + " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
                    case "time without time zone" ->
                        "pg_catalog.to_char(" + value + "::pg_catalog.interval, 'HH24:MI:SS.MS')";
                    default -> "";
                };
        boolean isVector = VECTORS.containsKey(shape.binaryOf(column));
        String form = isVector ? VECTORS.get(shape.binaryOf(column)) : TEXTS.get(shape.typeOf(column));
        String asText = isVector ? "::text" : ""; // their operators may refuse other dimensions
        return "CASE WHEN " + old + " = COALESCE(pg_catalog.to_jsonb(" + value + "), 'null')"
                + (written.isEmpty() ? "" : " OR " + text + " = " + written) + " THEN true"
                + isOfCount(column, old, value)
                + (form == null
                        ? ""
                        : " WHEN " + text + " ~ '" + form + "' THEN ("
                                + shape.stored(column, "(" + text + ")" + shape.castTo(column)) + ")" + asText
                                + " IS NOT DISTINCT FROM (" + value + ")" + asText)
                + " ELSE false END";
    }

    /** The condition that columns of the table were dropped. Their values went with them, and their fields are in the rest since. */
    public String hasLostColumns() {
        return "EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass("
                + SqlExpression.literal(shape.table()) + ") AND a.attisdropped)";
    }

    /** The condition that a column may be one that was dropped and came back: another one before it was dropped. */
    public String mayHaveComeBack(String column) {
        return "EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass("
                + SqlExpression.literal(shape.table()) + ") AND a.attisdropped AND a.attnum < "
                + shape.placeOf(column) + ")";
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
        if (!COUNTED.contains(shape.binaryOf(column))) {
            return "";
        }
        String finite = shape.binaryOf(column).startsWith("time ") ? value + "::pg_catalog.interval" : value;
        String micros = "(EXTRACT(epoch FROM " + value + ") * 1000000)::bigint";
        String number = "(" + old + " #>> '{}')::pg_catalog.numeric";
        return " WHEN pg_catalog.jsonb_typeof(" + old + ") = 'number' AND pg_catalog.isfinite(" + finite + ") THEN "
                + (shape.binaryOf(column).equals("date")
                        ? number + " * 86400000000 = " + micros
                        : number + " IN (" + micros + ", " + micros + " / 1000.0) OR pg_catalog.round(" + number
                                + " / 1000) = " + micros);
    }
}
