package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.TargetType.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * Which table a record goes to, in which columns, and what identifies a row.
 *
 * @param table template of the table's name
 * @param valueColumn the jsonb column
 * @param insertMode what becomes of a row that is there already
 * @param insertMethod how rows are sent
 * @param keyMode what identifies a row
 * @param keyColumns the columns of the key, in order; empty without one
 * @param deletes whether a record without a value deletes the row with its key
 */
record TableSettings(
        TableName table,
        String valueColumn,
        InsertMode insertMode,
        InsertMethod insertMethod,
        KeyMode keyMode,
        List<String> keyColumns,
        boolean deletes) {
    static final String TABLE_NAME_FORMAT = "table.name.format";
    static final String VALUE_COLUMN = "value.column.name";
    static final String INSERT_MODE = "insert.mode";
    static final String INSERT_METHOD = "insert.method";
    static final String PK_MODE = "pk.mode";
    static final String PK_FIELDS = "pk.fields";
    static final String DELETE_ENABLED = "delete.enabled";

    /** The columns of Kafka's coordinates when {@code pk.fields} names none. */
    static final List<String> KAFKA_COLUMNS = List.of("__connect_topic", "__connect_partition", "__connect_offset");

    private static final String GROUP = "Table";

    /** What becomes of a row that is there already. */
    enum InsertMode {
        /** It stays an error of the record, if the table has such a constraint. */
        INSERT,
        /** The new row replaces it. */
        UPSERT,
        /** It stays as it is: a record that is delivered twice is written once. */
        IGNORE
    }

    /** What identifies a row. */
    enum KeyMode {
        /** Nothing: rows are appended. */
        NONE,
        /** Topic, partition and offset. */
        KAFKA,
        /** The record's key, as text or number. */
        RECORD_KEY
    }

    TableSettings {
        requireNonNull(table, "table");
        requireNonNull(valueColumn, "valueColumn");
        requireNonNull(insertMode, "insertMode");
        requireNonNull(insertMethod, "insertMethod");
        requireNonNull(keyMode, "keyMode");
        keyColumns = List.copyOf(keyColumns);
    }

    static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        TABLE_NAME_FORMAT,
                        Type.STRING,
                        "${topic}",
                        ConfigDef.LambdaValidator.with(
                                TableSettings::checkTable, () -> "`table` or `schema.table`, with `${topic}`"),
                        Importance.MEDIUM,
                        "The table, as `table` or `schema.table`; `${topic}` stands for the record's topic. Names are quoted,"
                                + " so case matters; dots in the topic are part of the name.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Table")
                .define(
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
                        INSERT_MODE,
                        Type.STRING,
                        "insert",
                        ValidString.in(names(InsertMode.values())),
                        Importance.HIGH,
                        "What becomes of a row with the same key: `insert` leaves it to the table's constraints, `upsert`"
                                + " replaces it, `ignore` keeps it, so that a record delivered twice is written once.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Insert mode")
                .define(
                        INSERT_METHOD,
                        Type.STRING,
                        "auto",
                        ValidString.in(names(InsertMethod.values())),
                        Importance.LOW,
                        "How rows are sent: `values` as a multi-row INSERT, `unnest` as arrays, `copy` as a binary COPY, which is"
                                + " the cheapest for the server and takes plain appends into columns of exact types, or"
                                + " `auto`, which takes the cheapest that fits. All make the same rows.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Insert method")
                .define(
                        PK_MODE,
                        Type.STRING,
                        "none",
                        ValidString.in(names(KeyMode.values())),
                        Importance.HIGH,
                        "What identifies a row: `none`, `kafka` (topic, partition and offset of the record) or `record_key`"
                                + " (the record's key: text, number or UTF-8 bytes). The key's columns are written too.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Key mode")
                .define(
                        PK_FIELDS,
                        Type.LIST,
                        List.of(),
                        Importance.MEDIUM,
                        "The key's columns, separated by commas: three for `pk.mode=kafka` (default "
                                + String.join(",", KAFKA_COLUMNS)
                                + "), one for `record_key`. They need a unique index for"
                                + " `upsert` and `ignore`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Key columns")
                .define(
                        DELETE_ENABLED,
                        Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Whether a record without a value deletes the row with its key; needs `pk.mode=record_key`. If not,"
                                + " such records are passed over.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Deletes");
    }

    private static void checkTable(String key, Object value) {
        try {
            TableName.parse(String.valueOf(value));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, value, e.getMessage());
        }
    }

    private static String[] names(Enum<?>[] values) {
        return Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }

    static TableSettings from(AbstractConfig config) {
        KeyMode keyMode = KeyMode.valueOf(config.getString(PK_MODE).toUpperCase(Locale.ROOT));
        List<String> columns = config.getList(PK_FIELDS);
        return new TableSettings(
                TableName.parse(config.getString(TABLE_NAME_FORMAT)),
                config.getString(VALUE_COLUMN),
                InsertMode.valueOf(config.getString(INSERT_MODE).toUpperCase(Locale.ROOT)),
                InsertMethod.valueOf(config.getString(INSERT_METHOD).toUpperCase(Locale.ROOT)),
                keyMode,
                columns.isEmpty() && keyMode == KeyMode.KAFKA ? KAFKA_COLUMNS : columns,
                config.getBoolean(DELETE_ENABLED));
    }

    /** What does not go together. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        int needed =
                switch (keyMode) {
                    case NONE -> 0;
                    case KAFKA -> KAFKA_COLUMNS.size();
                    case RECORD_KEY -> 1;
                };
        if (keyColumns.size() != needed) {
            problems.add(new Problem(
                    PK_FIELDS,
                    PK_MODE + "=" + keyMode.name().toLowerCase(Locale.ROOT) + " takes " + needed + " columns, and "
                            + keyColumns.size() + " are named"));
        }
        if (insertMode != InsertMode.INSERT && keyMode == KeyMode.NONE) {
            problems.add(new Problem(
                    PK_MODE,
                    INSERT_MODE + "=" + insertMode.name().toLowerCase(Locale.ROOT)
                            + " needs to know what identifies a row: kafka or record_key"));
        }
        if (deletes && keyMode != KeyMode.RECORD_KEY) {
            problems.add(new Problem(DELETE_ENABLED, "deleting needs " + PK_MODE + "=record_key"));
        }
        if (insertMethod == InsertMethod.COPY && (insertMode == InsertMode.UPSERT || keyMode == KeyMode.RECORD_KEY)) {
            problems.add(new Problem(
                    INSERT_METHOD,
                    "copy only appends, and knows no types of key columns: it goes with " + INSERT_MODE
                            + "=insert or ignore and " + PK_MODE + "=none or kafka"));
        }
        return problems;
    }
}
