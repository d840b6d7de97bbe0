package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.write.KnownTables.Known;

/**
 * Decides whether a statement expects existing rows. A table with an index on the key gets a plain statement first, as
 * long as that meets no existing rows; without the index the server would not tell that it does. One lane uses it.
 */
final class ConflictPlan {
    private final InsertMode mode;
    private final boolean isExactlyOnce;
    private final InsertStrategy strategy;

    ConflictPlan(InsertMode mode, boolean isExactlyOnce, InsertStrategy strategy) {
        this.mode = requireNonNull(mode, "mode");
        this.isExactlyOnce = isExactlyOnce;
        this.strategy = requireNonNull(strategy, "strategy");
    }

    /** Whether an existing row is handled as {@code insert.mode} says, and is not the new row's fault. */
    boolean isResolving() {
        return mode.isResolving();
    }

    /** Whether a statement may change an existing row, and so takes no two rows with one key. */
    boolean isUpdating() {
        return mode.isUpdating();
    }

    /** Most rows of a statement. */
    int maxRows() {
        return strategy.maxRows();
    }

    /** Whether the next rows for a table are sent as COPY. */
    boolean copies(Known table, RowGroup group) {
        boolean onConflict = mode.isResolving()
                && (isExactlyOnce || !isPlainFirst(table, table.forecast().isPlainNext()));
        return strategy.copies(group.shape(table.shape()), group.documents(), onConflict);
    }

    /** Whether a statement that is sent alone is written as if it met no existing row. */
    boolean isPlain(Known table) {
        return !mode.isResolving() || isPlainFirst(table, !table.forecast().isLikely());
    }

    /**
     * The same for a statement that is sent together with others. If it met an existing row, all of them would be sent
     * one by one: not for updates.
     */
    boolean isPlainAmongOthers(Known table) {
        return !mode.isResolving()
                || (!mode.isUpdating()
                        && !isExactlyOnce
                        && isPlainFirst(table, !table.forecast().isLikely()));
    }

    private static boolean isPlainFirst(Known table, boolean isForecast) {
        return isForecast && table.shape().keyIndex().isPresent();
    }
}
