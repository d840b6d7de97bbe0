package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.ExtractedColumn;
import io.tidegate.connect.jsonb.row.RowField;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What keeps an older record from replacing a newer row.
 *
 * @param setting {@code none}, {@code offset}, {@code source_position}, or a column that is extracted from the document
 */
public record StaleGuard(String setting) {
    public static final StaleGuard NONE = new StaleGuard("none");
    private static final String OFFSET = "offset";
    private static final String SOURCE_POSITION = "source_position";

    public StaleGuard {
        requireNonNull(setting, "setting");
    }

    /** Reads a word in any case, or the name of a column. */
    static StaleGuard of(String text) {
        String setting = text.trim();
        return Stream.of(NONE.setting, OFFSET, SOURCE_POSITION)
                .filter(setting::equalsIgnoreCase)
                .findFirst()
                .map(StaleGuard::new)
                .orElseGet(() -> new StaleGuard(setting));
    }

    public boolean isNone() {
        return equals(NONE);
    }

    public boolean isOffset() {
        return setting.equals(OFFSET);
    }

    /** Whether the position of a change event in the source's log decides. */
    public boolean isSourcePosition() {
        return setting.equals(SOURCE_POSITION);
    }

    /** Whether a field of the document decides, and not the order of the records. */
    public boolean isField() {
        return !isNone() && !isOffset() && !isSourcePosition();
    }

    /** Whether it also keeps an older record from deleting a newer row. A deletion has no document with a field. */
    public boolean guardsDeletions() {
        return isOffset() || isSourcePosition();
    }

    /**
     * Why the guard does not work for such rows; empty if it does.
     *
     * @param isTableCreated whether the sink creates the column
     */
    Optional<String> problem(RowSettings row, boolean isTableCreated) {
        boolean hasCoordinates = Stream.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET)
                .allMatch(input -> row.columnOf(input).isPresent());
        if (isOffset() && !hasCoordinates) {
            return Optional.of(
                    "offsets compare only within one partition of one topic, and transforms such as RegexRouter can"
                            + " join topics: add topic, partition and offset to " + RowSettings.METADATA_COLUMNS);
        }
        if (isSourcePosition() && row.columnOf(RowField.SOURCE_POSITION).isEmpty()) {
            return Optional.of("comparing positions needs a column that holds them: add source_position to "
                    + RowSettings.METADATA_COLUMNS);
        }
        if (isField() && !row.fields().isOn() && extraction(row).isEmpty()) {
            return Optional.of(
                    "it is none, offset, source_position, or one of the columns of " + RowSettings.EXTRACT_COLUMNS);
        }
        if (isField()
                && row.fields().isOn()
                && row.columns().stream().anyMatch(column -> column.name().equals(setting))) {
            return Optional.of(
                    "the column " + setting + " is of the key, the document or the metadata, and not of a field");
        }
        if (isTableCreated
                && extraction(row).filter(column -> column.type().isEmpty()).isPresent()) {
            return Optional.of("with " + TableSettings.AUTO_CREATE + ", the column " + setting
                    + " would be text, where 10 is older than 9: give it a type in " + RowSettings.EXTRACT_COLUMNS
                    + ", such as `::bigint`, or `::text` if its texts compare as they should");
        }
        return Optional.empty();
    }

    /** The column of the guard, if the server extracts it. */
    private Optional<ExtractedColumn> extraction(RowSettings row) {
        return row.extractions().stream()
                .filter(column -> isField() && column.column().equals(setting))
                .findFirst();
    }
}
