package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import io.tidegate.connect.jsonb.sql.EarlierRow;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How rows are compared, as SQL: first by a hash of what the sink writes, then, where the hashes differ, by the server's
 * own equality. Pure.
 */
final class ComparedColumns {
    /**
     * Functions of the server that hash a type, with the value for {@code $}. They hash what the type's equality
     * compares: the source is PostgreSQL's {@code pg_amproc.dat}. The functions of {@code numeric} and {@code jsonb} are not
     * among them, because they leave out the signs of numbers.
     */
    private static final Map<String, String> FUNCTIONS = Map.of(
            "bigint", "pg_catalog.hashint8extended($, ",
            "integer", "pg_catalog.hashint4extended($, ",
            "timestamp with time zone", "pg_catalog.timestamp_hash_extended($ AT TIME ZONE 'UTC', ",
            "timestamp without time zone", "pg_catalog.timestamp_hash_extended($, ",
            "uuid", "pg_catalog.uuid_hash_extended($, ");

    /** Types that have an equality of their own which does not depend on a collation. */
    private static final List<String> COMPARED = List.of(
            "jsonb",
            "bigint",
            "integer",
            "smallint",
            "numeric",
            "boolean",
            "uuid",
            "date",
            "double precision",
            "real",
            "timestamp with time zone",
            "timestamp without time zone");

    private final TableShape shape;
    private final EarlierRow earlier;
    private final List<Column> columns;
    private final Optional<Column> rest;
    private final boolean areUnknownIgnored;

    /**
     * Which columns of a table are compared.
     *
     * @param columns all but those of Kafka's coordinates
     * @param fields where fields without a column go
     */
    ComparedColumns(TableShape shape, List<Column> columns, FieldSettings fields) {
        this.shape = requireNonNull(shape, "shape");
        this.earlier = new EarlierRow(shape);
        this.columns = List.copyOf(columns);
        this.rest = columns.stream()
                .filter(column -> fields.isOn()
                        && column.input() == RowField.VALUE
                        && shape.typeOf(column.name()).equals("jsonb"))
                .findFirst();
        this.areUnknownIgnored = fields.unknown() == UnknownFields.IGNORE;
    }

    /** Their names, not quoted. */
    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /**
     * A hash of a row. The offset goes around the others, so that two rows that exchanged their documents differ.
     *
     * @param row the row's alias
     * @param offset the column of the offset, quoted
     */
    String hash(String row, String offset) {
        String values = IntStream.range(0, columns.size())
                .mapToObj(i -> "coalesce(" + hash(row, columns.get(i), i + 1) + ", " + (i + 1) + ")")
                .collect(Collectors.joining(" # "));
        return "pg_catalog.hashint8extended(" + row + '.' + offset + "::bigint, " + (values.isEmpty() ? "0" : values)
                + ")";
    }

    private String hash(String row, Column column, int seed) {
        String value = row + '.' + column.quoted();
        String function = FUNCTIONS.get(shape.typeOf(column.name()));
        return function == null
                ? "pg_catalog.hashtextextended(" + value + "::text COLLATE \"C\", " + seed + ")"
                : function.replace("$", value) + seed + ")";
    }

    /** Whether the columns of two rows are the same. */
    String areSame(String stored, String expected) {
        return columns.isEmpty()
                ? "true"
                : columns.stream()
                        .map(column -> isSame(column, stored, expected))
                        .collect(Collectors.joining(" AND ", "(", ")"));
    }

    /**
     * An array with the name, the expected and the stored text of each column that differs, as SQL.
     *
     * @param longest characters of a text
     */
    String differences(String stored, String expected, int longest) {
        return columns.stream()
                .map(column -> "CASE WHEN " + isSame(column, stored, expected) + " THEN '{}'::text[] ELSE ARRAY["
                        + SqlExpression.literal(column.name()) + ", left(" + expected + '.' + column.quoted()
                        + "::text, " + longest + "), left(" + stored + '.' + column.quoted() + "::text, " + longest
                        + ")] END")
                .collect(Collectors.joining(" || ", "('{}'::text[] || ", ")"));
    }

    /** Whether a column of two rows is the same. A field may have got its column, or lost it, after the row was written. */
    private String isSame(Column column, String stored, String expected) {
        String isEqual = value(column, stored) + " IS NOT DISTINCT FROM " + value(column, expected);
        if (column.input() instanceof DocumentField) {
            if (shape.fillingOf(column.name()).hasDefault()) { // which the row may have, if the field is missing
                isEqual = "(" + isEqual + " OR " + expected + '.' + column.quoted() + " IS NULL)";
            }
            if (areUnknownIgnored) {
                return "(" + isEqual + " OR " + stored + '.' + column.quoted() + " IS NULL)";
            }
            if (rest.isPresent()) {
                String old =
                        "(" + stored + '.' + rest.get().quoted() + " -> " + SqlExpression.literal(column.name()) + ")";
                return "CASE WHEN " + old + " IS NULL THEN " + isEqual + " OR (" + stored + '.' + column.quoted()
                        + " IS NULL AND " + earlier.mayHaveComeBack(column.name()) + ") ELSE "
                        + earlier.isOfField(column.name(), old, expected + '.' + column.quoted()) + " END";
            }
        } else if (rest.isPresent() && column.equals(rest.get())) {
            String old = "coalesce(" + stored + '.' + column.quoted() + ", '{}')";
            String left = "(" + old + " - " + names(columns) + ")";
            String sent = "coalesce(" + expected + '.' + column.quoted() + ", '{}')";
            return "CASE WHEN jsonb_typeof(" + old + ") = 'object' THEN " + left + " = " + sent + " OR ("
                    + earlier.hasLostColumns() + " AND " + EarlierRow.isWithin(left, sent) + ") ELSE " + isEqual
                    + " END";
        }
        return isEqual;
    }

    private static String names(List<Column> columns) {
        return columns.stream()
                .filter(column -> column.input() instanceof DocumentField)
                .map(column -> SqlExpression.literal(column.name()))
                .collect(Collectors.joining(", ", "ARRAY[", "]::text[]"));
    }

    private String value(Column column, String row) {
        String value = row + '.' + column.quoted();
        return COMPARED.contains(shape.typeOf(column.name())) ? value : value + "::text COLLATE \"C\"";
    }
}
