package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link StaleGuard} as SQL: it says when a row may be replaced or deleted. Pure. */
final class StaleCondition {
    private StaleCondition() {}

    /**
     * The condition under which a new row may replace the row {@code o}. With equal values the later record counts. Nothing
     * shows whether that is a redriven one, so it fails then, unless the row has the content already. Offsets of different
     * partitions tell nothing: then the row is older, because its record was delivered before, but a redriven record is not
     * delivered in that order.
     *
     * @param candidate the prefix of the new row's columns, such as {@code EXCLUDED}
     * @param isOther the condition that the new row has another content than {@code o}; only redriving asks for it
     */
    static Optional<String> of(
            InsertSettings insert, RowSettings row, TableShape shape, String candidate, Supplier<String> isOther) {
        if (!lacksColumn(insert, row, shape)) {
            return of(insert, row, candidate, isOther);
        }
        String isWithout = "pg_catalog.to_jsonb(o.*) ->> "
                + SqlExpression.literal(insert.guard().setting()) + " IS NULL";
        return Optional.of(insert.redriven() ? unless(isWithout, isOther.get(), isWithout) : isWithout);
    }

    /**
     * Whether the table does not have the guard's column yet, because no field has needed it. The row is then asked for it:
     * another task may have added it.
     */
    private static boolean lacksColumn(InsertSettings insert, RowSettings row, TableShape shape) {
        return row.fields().areAdded()
                && shape.isChecked()
                && insert.guard().isField()
                && !shape.columns().containsKey(insert.guard().setting());
    }

    /** The same for a table that has the columns. */
    static Optional<String> of(InsertSettings insert, RowSettings row, String candidate, Supplier<String> isOther) {
        StaleGuard guard = insert.guard();
        if (guard.isNone()) {
            return Optional.empty();
        }
        if (!guard.isOffset()) {
            String column = guard.isField()
                    ? TableName.quote(guard.setting())
                    : row.columnOf(RowField.SOURCE_POSITION).orElseThrow().quoted();
            return Optional.of(
                    insert.redriven()
                            ? isNewerForSure(column, candidate, isOther.get())
                            : isNewer(column, candidate, " >= "));
        }
        String comparison = insert.redriven() ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ";
        String connection = insert.redriven() ? " AND " : " OR ";
        String partitions = Stream.of(RowField.TOPIC, RowField.PARTITION)
                .flatMap(input -> row.columnOf(input).stream())
                .map(column -> "o." + column.quoted() + comparison + candidate + '.' + column.quoted() + connection)
                .collect(Collectors.joining());
        return Optional.of("("
                + partitions
                + isNewer(row.columnOf(RowField.OFFSET).orElseThrow().quoted(), candidate, " >= ")
                + ")");
    }

    private static String isNewerForSure(String column, String candidate, String isOther) {
        String isEqual = candidate + '.' + column + " IS NOT DISTINCT FROM o." + column;
        return unless(isEqual, isOther, isNewer(column, candidate, " > "));
    }

    /** {@code CASE} keeps the order. The server does not compute {@code concat} before there is a row. */
    private static String unless(String isEqual, String isOther, String isNewer) {
        return "CASE WHEN " + isEqual + " AND " + isOther + " THEN CAST(pg_catalog.concat('"
                + PostgresFailures.UNGUARDED + "') AS boolean) ELSE " + isNewer + " END";
    }

    private static String isNewer(String column, String candidate, String comparison) {
        return "(o." + column + " IS NULL OR " + candidate + '.' + column + comparison + "o." + column + ")";
    }
}
