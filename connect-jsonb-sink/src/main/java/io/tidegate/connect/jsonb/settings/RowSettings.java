package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.ExtractedColumn;
import io.tidegate.connect.jsonb.row.MetadataColumn;
import io.tidegate.connect.jsonb.row.RowField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The columns of a row.
 *
 * @param valueColumn the jsonb column
 * @param keyMode what identifies a row
 * @param key the columns of the key, in order; empty if there is no key
 * @param metadata columns for the record's metadata
 * @param extractions columns that the server extracts from the value
 * @param fields which fields of the value get columns
 * @param values how the values of the columns are read
 */
public record RowSettings(
        String valueColumn,
        KeyMode keyMode,
        List<KeyField> key,
        List<MetadataColumn> metadata,
        List<ExtractedColumn> extractions,
        FieldSettings fields,
        ValueSettings values) {
    public static final String VALUE_COLUMN = "value.column.name";
    public static final String PK_MODE = "pk.mode";
    public static final String PK_FIELDS = "pk.fields";
    public static final String METADATA_COLUMNS = "metadata.columns";
    public static final String EXTRACT_COLUMNS = "extract.columns";

    /** The columns of Kafka's coordinates, if {@code pk.fields} names none. */
    public static final List<String> KAFKA_COLUMNS =
            List.of("__connect_topic", "__connect_partition", "__connect_offset");

    private static final List<RowField> KAFKA_INPUTS = List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET);

    public RowSettings {
        requireNonNull(valueColumn, "valueColumn");
        requireNonNull(keyMode, "keyMode");
        key = List.copyOf(key);
        metadata = List.copyOf(metadata);
        extractions = List.copyOf(extractions);
        requireNonNull(fields, "fields");
        requireNonNull(values, "values");
    }

    public static ConfigDef define(ConfigDef def) {
        return FieldSettings.define(new SettingGroup(def, "Row")
                        .text(VALUE_COLUMN, "Value column", "doc")
                        .nonEmpty()
                        .medium("The jsonb column for the record's value.")
                        .oneOf(PK_MODE, "Key mode", KeyMode.NONE)
                        .high("What identifies a row: `none`, `kafka` (topic, partition and offset), `record_key` (the"
                                + " record's key: text, number, UTF-8 bytes, or fields of a structured or JSON key) or"
                                + " `record_value` (fields of the value).")
                        .list(PK_FIELDS, "Key columns")
                        .eachParsedBy("`column` or `column:$.path`", KeyField::parse)
                        .medium(
                                "The key's columns, separated by commas: three for `pk.mode=kafka` (default "
                                        + String.join(",", KAFKA_COLUMNS)
                                        + "), none for `none`, otherwise one or more. A column takes the field of the same name, or the one at a path:"
                                        + " `id:$.metadata.id`. `upsert`, `ignore` and `merge` need a unique index on these columns.")
                        .list(METADATA_COLUMNS, "Metadata columns")
                        .eachParsedBy("`source` or `source:column`", MetadataColumn::parse)
                        .low(
                                "Columns for the record's metadata: any of `key`, `topic`, `partition`, `offset`,"
                                        + " `timestamp`, `headers` and, of change events, `source_position`. `offset:src_offset` names"
                                        + " the column; without a name it is `__connect_offset`. Headers are a JSON object. A"
                                        + " timestamp goes into a `timestamptz`, or into a `bigint` as milliseconds since 1970.")
                        .list(EXTRACT_COLUMNS, "Extracted columns")
                        .eachParsedBy("`column:$.path` or `column:$.path::type`", ExtractedColumn::parse)
                        .low("Columns that the server extracts from the value, as `station:$.metadata.id::text`,"
                                + " separated by commas. The default type is the column's. A missing path gives NULL. A"
                                + " record whose value cannot be cast to it is refused."))
                .configDef();
    }

    public static RowSettings from(AbstractConfig config) {
        KeyMode keyMode = EnumSetting.read(config, PK_MODE, KeyMode.class);
        List<String> key = config.getList(PK_FIELDS);
        return new RowSettings(
                config.getString(VALUE_COLUMN),
                keyMode,
                parsed(key.isEmpty() && keyMode == KeyMode.KAFKA ? KAFKA_COLUMNS : key, KeyField::parse),
                parsed(config.getList(METADATA_COLUMNS), MetadataColumn::parse),
                parsed(config.getList(EXTRACT_COLUMNS), ExtractedColumn::parse),
                FieldSettings.from(config),
                ValueSettings.from(config));
    }

    private static <T> List<T> parsed(List<String> items, Function<String, T> parser) {
        return items.stream().map(parser).toList();
    }

    /** Every column that the settings name, once. The value's comes first if it is written, then the key's. */
    public List<Column> columns() {
        List<Column> columns = valueAndKey();
        Set<String> named = new HashSet<>(columns.stream().map(Column::name).toList());
        Stream.concat(
                        metadata.stream().map(MetadataColumn::asColumn),
                        extractions.stream().map(ExtractedColumn::asColumn))
                .filter(column -> named.add(column.name()))
                .forEach(columns::add);
        return List.copyOf(columns);
    }

    private List<Column> valueAndKey() {
        List<Column> columns = new ArrayList<>();
        if (fields.hasValueColumn()) {
            columns.add(Column.of(valueColumn, RowField.VALUE));
        }
        columns.addAll(keyColumns());
        return columns;
    }

    /** First-level fields that a column of the key has under the same name. */
    public Set<String> fieldsOfKey() {
        return keyMode == KeyMode.RECORD_VALUE
                ? key.stream()
                        .filter(field -> field.path().stepTexts().equals(List.of(field.column())))
                        .map(KeyField::column)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** The columns that identify a row, in order. */
    public List<Column> keyColumns() {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            columns.add(keyColumn(i));
        }
        return columns;
    }

    private Column keyColumn(int part) {
        String name = key.get(part).column();
        if (keyMode == KeyMode.KAFKA) {
            return Column.of(name, KAFKA_INPUTS.get(part));
        }
        return key.size() == 1
                ? Column.of(name, RowField.KEY)
                : new Column(
                        name, RowField.KEY, (value, cast) -> "(" + value + "::json ->> " + part + ")" + cast, "text");
    }

    /** Whether every column takes a field as it is. */
    boolean isPlain() {
        return columns().stream().allMatch(Column::isPlain);
    }

    /** The column that takes this field as it is. */
    public Optional<Column> columnOf(RowField input) {
        return columns().stream()
                .filter(column -> column.input() == input && column.isPlain())
                .findFirst();
    }

    /** Settings that do not fit together. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        boolean fits =
                switch (keyMode) {
                    case NONE -> key.isEmpty();
                    case KAFKA -> key.size() == KAFKA_COLUMNS.size();
                    case RECORD_KEY, RECORD_VALUE -> !key.isEmpty();
                };
        if (!fits) {
            String needed = keyMode == KeyMode.NONE ? "no" : keyMode == KeyMode.KAFKA ? "3" : "one or more";
            problems.add(new Problem(
                    PK_FIELDS,
                    PK_MODE + "=" + EnumSetting.text(keyMode) + " takes " + needed + " columns, and " + key.size()
                            + " are named"));
        }
        if (fields.isOn() && !extractions.isEmpty()) {
            problems.add(new Problem(
                    EXTRACT_COLUMNS,
                    "with " + FieldSettings.COLUMNS_FROM_FIELDS
                            + " a column takes the field of its name, and paths into" + " the value are not read"));
        }
        fields.problem().ifPresent(problems::add);
        checkNames(problems);
        return problems;
    }

    /** Metadata may share a column with the key if both are the same. No other column may be written twice. */
    private void checkNames(List<Problem> problems) {
        List<Column> written = valueAndKey();
        check(METADATA_COLUMNS, metadata.stream().map(MetadataColumn::asColumn).toList(), written, problems);
        check(
                EXTRACT_COLUMNS,
                extractions.stream().map(ExtractedColumn::asColumn).toList(),
                written,
                problems);
    }

    private static void check(String setting, List<Column> columns, List<Column> written, List<Problem> problems) {
        for (Column column : columns) {
            Optional<Column> same = written.stream()
                    .filter(other -> other.name().equals(column.name()))
                    .findFirst();
            if (same.isPresent() && !(same.get().input() == column.input() && column.isPlain())) {
                problems.add(new Problem(
                        setting,
                        "the column " + column.name() + " is written already: with "
                                + EnumSetting.text((RowField) same.get().input())));
            }
            written.add(column);
        }
    }
}
