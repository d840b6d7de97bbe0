package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.RowField;
import java.util.Optional;

/**
 * What keeps an older record from replacing a newer row.
 *
 * @param setting {@code none}, {@code offset}, or a column that is extracted from the document
 */
public record StaleGuard(String setting) {
    public static final StaleGuard NONE = new StaleGuard("none");
    private static final String OFFSET = "offset";

    public StaleGuard {
        requireNonNull(setting, "setting");
    }

    public boolean isNone() {
        return equals(NONE);
    }

    public boolean isOffset() {
        return setting.equals(OFFSET);
    }

    /** Whether a field of the document decides, and not the order of the records. */
    public boolean isField() {
        return !isNone() && !isOffset();
    }

    /** Why the guard does not work for such rows; empty if it does. */
    Optional<String> problem(RowSettings row) {
        if (isOffset()
                && (row.columnOf(RowField.OFFSET).isEmpty()
                        || row.columnOf(RowField.PARTITION).isEmpty())) {
            return Optional.of(
                    "comparing offsets needs columns that hold them and their partitions, whose offsets do not"
                            + " compare: add partition and offset to " + RowSettings.METADATA_COLUMNS);
        }
        if (isField()
                && row.extractions().stream()
                        .noneMatch(column -> column.column().equals(setting))) {
            return Optional.of("it is none, offset, or one of the columns of " + RowSettings.EXTRACT_COLUMNS);
        }
        return Optional.empty();
    }
}
