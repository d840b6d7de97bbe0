package io.tidegate.connect.check.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The statement that creates a table for a configuration of the JSONB sink. */
record TableText(Map<String, String> settings, boolean unique, Map<String, String> fields) {
    /** Types for fields of the drawn documents, from which each value can be read back as it was. */
    static final Map<String, String> FIELDS = new TreeMap<>(Map.of(
            "n", "jsonb",
            "version", "int",
            "a", "bigint",
            "b", "numeric",
            "c", "float8",
            "o", "jsonb",
            "p", "json",
            "text", "text",
            "filler", "varchar",
            "z", "text"));
    /** The field that may have a column for vectors. */
    static final String VECTOR = "v";

    String create(String name) {
        List<String> columns = new ArrayList<>();
        columns.add("seq bigserial");
        columns.add(settings.getOrDefault("value.column.name", "doc") + " jsonb");
        String mode = settings.getOrDefault("pk.mode", "none");
        boolean coordinates = mode.equals("kafka")
                || settings.getOrDefault("metadata.columns", "").contains("offset");
        if (mode.equals("record_key") || mode.equals("record_value")) {
            columns.add("id text" + (unique ? " PRIMARY KEY" : ""));
        }
        if (coordinates) {
            columns.add("__connect_topic text");
            columns.add("__connect_partition int");
            columns.add("__connect_offset bigint");
        }
        if (settings.getOrDefault("metadata.columns", "").contains("source_position")) {
            columns.add("__connect_source_position bigint");
        }
        if (settings.containsKey("extract.columns")) {
            columns.add("version bigint");
        }
        fields.forEach((field, type) -> columns.add(field + " " + type));
        if (mode.equals("kafka") && unique) {
            columns.add("PRIMARY KEY (__connect_topic, __connect_partition, __connect_offset)");
        }
        return "CREATE TABLE \"" + name + "\" (" + String.join(", ", columns) + ")";
    }
}
