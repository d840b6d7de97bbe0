package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.ExtractedColumn;
import io.tidegate.connect.jsonb.row.MetadataColumn;
import io.tidegate.connect.jsonb.row.RowField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a row consists of.
 *
 * @param valueColumn the jsonb column
 * @param keyMode what identifies a row
 * @param key the columns of the key, in order; empty without one
 * @param metadata columns for what stands beside the value
 * @param extractions columns that the server takes out of the value
 */
public record RowSettings(
        String valueColumn,
        KeyMode keyMode,
        List<KeyField> key,
        List<MetadataColumn> metadata,
        List<ExtractedColumn> extractions) {
    public static final String VALUE_COLUMN = "value.column.name";
    public static final String PK_MODE = "pk.mode";
    public static final String PK_FIELDS = "pk.fields";
    public static final String METADATA_COLUMNS = "metadata.columns";
    public static final String EXTRACT_COLUMNS = "extract.columns";

    /** The columns of Kafka's coordinates when {@code pk.fields} names none. */
    public static final List<String> KAFKA_COLUMNS =
            List.of("__connect_topic", "__connect_partition", "__connect_offset");

    private static final List<RowField> KAFKA_INPUTS = List.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET);
    private static final String GROUP = "Row";

    public RowSettings {
        requireNonNull(valueColumn, "valueColumn");
        requireNonNull(keyMode, "keyMode");
        key = List.copyOf(key);
        metadata = List.copyOf(metadata);
        extractions = List.copyOf(extractions);
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        VALUE_COLUMN,
                        Type.STRING,
                        "doc",
                        new ConfigDef.NonEmptyString(),
                        Importance.MEDIUM,
                        "The jsonb column that takes the record's value.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Value column")
                .define(
                        PK_MODE,
                        Type.STRING,
                        "none",
                        ValidString.in(SettingNames.of(KeyMode.values())),
                        Importance.HIGH,
                        "What identifies a row: `none`, `kafka` (topic, partition and offset of the record), `record_key`"
                                + " (the record's key: text, number or UTF-8 bytes, or fields of a structured or JSON key)"
                                + " or `record_value` (fields of the value). The key's columns are written too.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Key mode")
                .define(
                        PK_FIELDS,
                        Type.LIST,
                        List.of(),
                        new ItemsValidator(KeyField::parse, "`column` or `column:$.path`"),
                        Importance.MEDIUM,
                        "The key's columns, separated by commas: three for `pk.mode=kafka` (default "
                                + String.join(",", KAFKA_COLUMNS)
                                + "); one or more for the others. With fields of a key or value a column takes the field of"
                                + " the same name, or the one at a path: `id:$.metadata.id`. `upsert`, `ignore` and `merge`"
                                + " need a unique index on them.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Key columns")
                .define(
                        METADATA_COLUMNS,
                        Type.LIST,
                        List.of(),
                        new ItemsValidator(MetadataColumn::parse, "`source` or `source:column`"),
                        Importance.LOW,
                        "Columns for what stands beside the value, separated by commas: any of `key`, `topic`, `partition`,"
                                + " `offset`, `timestamp` and `headers`, each with its column as `offset:src_offset`; without,"
                                + " that is `__connect_offset`. Headers are a JSON object; a timestamp goes into a"
                                + " `timestamptz`, or into a `bigint` as milliseconds since 1970.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Metadata columns")
                .define(
                        EXTRACT_COLUMNS,
                        Type.LIST,
                        List.of(),
                        new ItemsValidator(ExtractedColumn::parse, "`column:$.path` or `column:$.path::type`"),
                        Importance.LOW,
                        "Columns that the server takes out of the value in the same statement, separated by commas, as"
                                + " `station:$.metadata.id::text`. Without a type it is the column's own. A path that is not"
                                + " there gives NULL; a value that is not of the type refuses the record.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Extracted columns");
    }

    /** Each item of a list on its own. */
    private static final class ItemsValidator implements ConfigDef.Validator {
        private final Function<String, ?> parser;
        private final String form;

        ItemsValidator(Function<String, ?> parser, String form) {
            this.parser = parser;
            this.form = form;
        }

        @Override
        public void ensureValid(String name, Object value) {
            for (Object item : (List<?>) value) {
                try {
                    Object unused = parser.apply(String.valueOf(item));
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(name, item, e.getMessage());
                }
            }
        }

        @Override
        public String toString() {
            return "a list of " + form;
        }
    }

    public static RowSettings from(AbstractConfig config) {
        KeyMode keyMode = SettingNames.valueOf(KeyMode.class, config.getString(PK_MODE));
        List<String> key = config.getList(PK_FIELDS);
        return new RowSettings(
                config.getString(VALUE_COLUMN),
                keyMode,
                parsed(key.isEmpty() && keyMode == KeyMode.KAFKA ? KAFKA_COLUMNS : key, KeyField::parse),
                parsed(config.getList(METADATA_COLUMNS), MetadataColumn::parse),
                parsed(config.getList(EXTRACT_COLUMNS), ExtractedColumn::parse));
    }

    private static <T> List<T> parsed(List<String> items, Function<String, T> parser) {
        return items.stream().map(parser).toList();
    }

    /** Every column that is written, once: the value's first, then the key's. */
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.of(valueColumn, RowField.VALUE));
        columns.addAll(keyColumns());
        Set<String> named = new HashSet<>(columns.stream().map(Column::name).toList());
        Stream.concat(
                        metadata.stream().map(MetadataColumn::asColumn),
                        extractions.stream().map(ExtractedColumn::asColumn))
                .filter(column -> named.add(column.name()))
                .forEach(columns::add);
        return List.copyOf(columns);
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

    /** Whether every column takes an input as it is. */
    boolean isPlain() {
        return columns().stream().allMatch(Column::isPlain);
    }

    /** The column that takes this input as it is. */
    public Optional<Column> columnOf(RowField input) {
        return columns().stream()
                .filter(column -> column.input() == input && column.isPlain())
                .findFirst();
    }

    /** What does not go together. */
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
                    PK_MODE + "=" + keyMode.name().toLowerCase(Locale.ROOT) + " takes " + needed + " columns, and "
                            + key.size() + " are named"));
        }
        checkNames(problems);
        return problems;
    }

    /** Metadata may share a column with the key when both are the same; nothing else may be written twice. */
    private void checkNames(List<Problem> problems) {
        List<Column> written = new ArrayList<>(columns().subList(0, 1 + key.size()));
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
                                + same.get().input().name().toLowerCase(Locale.ROOT)));
            }
            written.add(column);
        }
    }
}
