package io.tidegate.connect.tools.audit;

import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How rows are compared, as SQL: first by a hash of what the sink writes, then, where the hashes differ, by the server's
 * own equality. Pure.
 */
final class RowHash {
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

    private RowHash() {}

    /**
     * A hash of a row. The offset goes around the others, so that two rows that exchanged their documents differ.
     *
     * @param row the row's alias
     * @param offset the column of the offset, quoted
     * @param columns the others, not quoted
     */
    static String of(TableShape shape, String row, String offset, List<String> columns) {
        String values = IntStream.range(0, columns.size())
                .mapToObj(i -> "coalesce(" + ofColumn(shape, row, columns.get(i), i + 1) + ", " + (i + 1) + ")")
                .collect(Collectors.joining(" # "));
        return "pg_catalog.hashint8extended(" + row + '.' + offset + "::bigint, " + (values.isEmpty() ? "0" : values)
                + ")";
    }

    private static String ofColumn(TableShape shape, String row, String column, int seed) {
        String value = row + '.' + TableName.quote(column);
        String function = FUNCTIONS.get(shape.typeOf(column));
        return function == null
                ? "pg_catalog.hashtextextended(" + value + "::text COLLATE \"C\", " + seed + ")"
                : function.replace("$", value) + seed + ")";
    }

    /** Whether the columns of two rows are equal. */
    static String isSame(TableShape shape, String row, String other, List<String> columns) {
        return columns.isEmpty()
                ? "true"
                : columns.stream()
                        .map(column ->
                                value(shape, row, column) + " IS NOT DISTINCT FROM " + value(shape, other, column))
                        .collect(Collectors.joining(" AND ", "(", ")"));
    }

    private static String value(TableShape shape, String row, String column) {
        String value = row + '.' + TableName.quote(column);
        return COMPARED.contains(shape.typeOf(column)) ? value : value + "::text COLLATE \"C\"";
    }
}
