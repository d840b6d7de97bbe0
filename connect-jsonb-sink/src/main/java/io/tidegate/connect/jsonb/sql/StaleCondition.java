package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.SqlExpression;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link StaleGuard} as SQL: it says when a row may be replaced or deleted. Pure. */
final class StaleCondition {
    private StaleCondition() {}

    /**
     * The condition under which a new row may replace the row {@code o}. With equal values the later record counts, which is
     * not the redriven one. Offsets of different partitions tell nothing: then the row is older, because its record was
     * delivered before, but a redriven record is not delivered in that order.
     *
     * @param candidate the prefix of the new row's columns, such as {@code EXCLUDED}
     */
    static Optional<String> of(InsertSettings insert, RowSettings row, TableShape shape, String candidate) {
        return lacksColumn(insert, row, shape)
                ? Optional.of("pg_catalog.to_jsonb(o.*) ->> "
                        + SqlExpression.literal(insert.guard().setting()) + " IS NULL")
                : of(insert, row, candidate);
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
    static Optional<String> of(InsertSettings insert, RowSettings row, String candidate) {
        StaleGuard guard = insert.guard();
        String atLeast = insert.redriven() ? " > " : " >= ";
        if (guard.isNone()) {
            return Optional.empty();
        }
        if (guard.isField()) {
            return Optional.of(isNewer(TableName.quote(guard.setting()), candidate, atLeast));
        }
        if (guard.isSourcePosition()) {
            return Optional.of(
                    isNewer(row.columnOf(RowField.SOURCE_POSITION).orElseThrow().quoted(), candidate, atLeast));
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

    private static String isNewer(String column, String candidate, String comparison) {
        return "(o." + column + " IS NULL OR " + candidate + '.' + column + comparison + "o." + column + ")";
    }
}
