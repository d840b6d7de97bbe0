package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * Which fields of a document get columns of their names.
 *
 * @param columns whether any do
 * @param unknown where the others go
 * @param areTextsRead whether a string of JSON, by its schema, becomes JSON here. In a change event it has become JSON before
 */
public record FieldSettings(ColumnsFromFields columns, UnknownFields unknown, boolean areTextsRead) {
    public static final String COLUMNS_FROM_FIELDS = "columns.from.fields";
    public static final String UNKNOWN_FIELDS = "unknown.fields";

    /** Documents are stored as one value. */
    public static final FieldSettings NONE = new FieldSettings(ColumnsFromFields.NONE, UnknownFields.REST, false);

    public FieldSettings {
        requireNonNull(columns, "columns");
        requireNonNull(unknown, "unknown");
    }

    static SettingGroup define(SettingGroup group) {
        return group.oneOf(COLUMNS_FROM_FIELDS, "Columns from fields", ColumnsFromFields.NONE)
                .high("Whether fields of the value have columns. `none` stores the value as one document. With `known`"
                        + " each first-level field whose name is a column of the table goes into it, as"
                        + " PostgreSQL casts its text to the column's type. A missing field takes the column's default,"
                        + " a null is NULL. A table that `auto.create` makes has no such columns. `add` also adds a"
                        + " column for each field that has none, with a type for its value: as its Connect schema says,"
                        + " or else boolean, numeric, text or jsonb. The role must own the table.")
                .oneOf(UNKNOWN_FIELDS, "Unknown fields", UnknownFields.REST)
                .medium("Where fields without a column go with `columns.from.fields`: `rest` puts them into"
                        + " `value.column.name`, which is NULL if nothing is left, `ignore` drops them, `refuse` refuses"
                        + " the record.");
    }

    static FieldSettings from(AbstractConfig config) {
        ColumnsFromFields columns = EnumSetting.read(config, COLUMNS_FROM_FIELDS, ColumnsFromFields.class);
        return new FieldSettings(
                columns,
                EnumSetting.read(config, UNKNOWN_FIELDS, UnknownFields.class),
                columns != ColumnsFromFields.NONE
                        && EnvelopeSettings.from(config).isNone());
    }

    /** Why the two settings do not fit together; empty if they do. */
    Optional<Problem> problem() {
        return Problem.when(
                !isOn() && unknown != UnknownFields.REST,
                UNKNOWN_FIELDS,
                "the whole value is stored unless " + COLUMNS_FROM_FIELDS + " is known or add");
    }

    /** Whether fields have columns. */
    public boolean isOn() {
        return columns != ColumnsFromFields.NONE;
    }

    /** Whether a field without a column gets one. */
    public boolean areAdded() {
        return columns == ColumnsFromFields.ADD;
    }

    /** Whether the value's column is written. */
    boolean hasValueColumn() {
        return !isOn() || unknown == UnknownFields.REST;
    }
}
