package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What keeps an older record from replacing a newer row.
 *
 * @param setting {@code none}, {@code offset}, or a column that is taken out of the document
 */
record StaleGuard(String setting) {
    static final StaleGuard NONE = new StaleGuard("none");
    private static final String OFFSET = "offset";

    StaleGuard {
        requireNonNull(setting, "setting");
    }

    boolean isNone() {
        return equals(NONE);
    }

    boolean isOffset() {
        return setting.equals(OFFSET);
    }

    /** Whether a field of the document decides, and not the order of the records. */
    boolean isField() {
        return !isNone() && !isOffset();
    }

    /** What is wrong with it for such rows. */
    Optional<String> problem(RowSettings row) {
        if (isOffset() && row.columnOf(Input.OFFSET).isEmpty()) {
            return Optional.of(
                    "comparing offsets needs a column that holds them: add offset to " + RowSettings.METADATA_COLUMNS);
        }
        if (isField()
                && row.extractions().stream()
                        .noneMatch(column -> column.column().equals(setting))) {
            return Optional.of("it is none, offset, or one of the columns of " + RowSettings.EXTRACT_COLUMNS);
        }
        return Optional.empty();
    }

    /**
     * The condition under which a row {@code o} may be replaced by one whose columns stand behind a prefix.
     *
     * @param candidate such as {@code EXCLUDED}
     */
    Optional<String> condition(RowSettings row, String candidate) {
        if (isNone()) {
            return Optional.empty();
        }
        if (isField()) {
            return Optional.of(isNewer(TableName.quote(setting), candidate));
        }
        String offsets = isNewer(row.columnOf(Input.OFFSET).orElseThrow().quoted(), candidate);
        return Optional.of(row.columnOf(Input.PARTITION)
                .map(partition -> "(o." + partition.quoted() + " IS DISTINCT FROM " + candidate + '.'
                        + partition.quoted() + " OR " + offsets + ")")
                .orElse(offsets));
    }

    private static String isNewer(String column, String candidate) {
        return "(o." + column + " IS NULL OR " + candidate + '.' + column + " >= o." + column + ")";
    }
}
