package io.tidegate.connect.check.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The statement that creates a table for a configuration of the JSONB sink. */
record TableText(Map<String, String> settings, boolean unique) {
    String create(String name) {
        List<String> columns = new ArrayList<>();
        columns.add("seq bigserial");
        columns.add(settings.getOrDefault("value.column.name", "doc") + " jsonb");
        String mode = settings.getOrDefault("pk.mode", "none");
        boolean coordinates = mode.equals("kafka") || settings.containsKey("metadata.columns");
        if (mode.equals("record_key") || mode.equals("record_value")) {
            columns.add("id text" + (unique ? " PRIMARY KEY" : ""));
        }
        if (coordinates) {
            columns.add("__connect_topic text");
            columns.add("__connect_partition int");
            columns.add("__connect_offset bigint");
        }
        if (settings.containsKey("extract.columns")) {
            columns.add("version bigint");
        }
        if (mode.equals("kafka") && unique) {
            columns.add("PRIMARY KEY (__connect_topic, __connect_partition, __connect_offset)");
        }
        return "CREATE TABLE \"" + name + "\" (" + String.join(", ", columns) + ")";
    }
}
