package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import java.util.Optional;

/** A {@link StaleGuard} as SQL: when a row may be replaced or deleted. Pure. */
final class StaleCondition {
    private StaleCondition() {}

    /**
     * The condition under which a row {@code o} may be replaced by one whose columns stand behind a prefix.
     *
     * @param candidate such as {@code EXCLUDED}
     */
    static Optional<String> of(StaleGuard guard, RowSettings row, String candidate) {
        if (guard.isNone()) {
            return Optional.empty();
        }
        if (guard.isField()) {
            return Optional.of(isNewer(TableName.quote(guard.setting()), candidate));
        }
        String offsets = isNewer(row.columnOf(RowField.OFFSET).orElseThrow().quoted(), candidate);
        return Optional.of(row.columnOf(RowField.PARTITION)
                .map(partition -> "(o." + partition.quoted() + " IS DISTINCT FROM " + candidate + '.'
                        + partition.quoted() + " OR " + offsets + ")")
                .orElse(offsets));
    }

    private static String isNewer(String column, String candidate) {
        return "(o." + column + " IS NULL OR " + candidate + '.' + column + " >= o." + column + ")";
    }
}
