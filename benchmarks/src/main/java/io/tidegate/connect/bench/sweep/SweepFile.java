package io.tidegate.connect.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What to combine: lists of tasks, partitions, sizes of records and of settings, and what all have in common. */
public record SweepFile(JsonNode yaml) {
    private static final Set<String> KEYS = Set.of(
            "config records input tasks partitions runs warm-ups vary record-bytes floor ceiling".split(" ", -1));

    /** Reads a file, whose keys are options of {@code ./bench sink}. */
    public static SweepFile read(Path file) throws ToolException {
        return new SweepFile(YamlFile.read(file, KEYS));
    }

    /** A call of {@code ./bench sink} for each topic: what shares one is measured together, in turns. */
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String bytes : texts("record-bytes", "")) {
            for (String partition : texts("partitions", "4")) {
                cells.add(new Cell(bytes, partition, arguments(bytes, partition)));
            }
        }
        return cells;
    }

    private List<String> arguments(String bytes, String partition) {
        List<String> arguments = new ArrayList<>();
        option(arguments, "config", "jsonb");
        option(arguments, "records", "200000");
        option(arguments, "input", "noaa");
        option(arguments, "tasks", "1");
        arguments.addAll(List.of("--partitions", partition));
        option(arguments, "runs", "1");
        option(arguments, "warm-ups", "1");
        for (Map.Entry<String, JsonNode> varied : yaml.path("vary").properties()) {
            arguments.addAll(List.of("--vary", varied.getKey() + "=" + String.join(",", texts(varied.getValue()))));
        }
        if (!bytes.isEmpty()) {
            arguments.addAll(List.of("--record-bytes", bytes));
        }
        for (String flag : List.of("floor", "ceiling")) {
            if (yaml.path(flag).asBoolean()) {
                arguments.add("--" + flag);
            }
        }
        return List.copyOf(arguments);
    }

    private void option(List<String> arguments, String key, String byDefault) {
        arguments.addAll(List.of("--" + key, String.join(",", texts(key, byDefault))));
    }

    private List<String> texts(String key, String byDefault) {
        List<String> texts = texts(yaml.path(key));
        return texts.isEmpty() ? List.of(byDefault) : texts;
    }

    /** A value alone is a list of one. */
    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isValueNode()) {
            texts.add(node.asText());
        }
        node.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    /**
     * What shares a topic.
     *
     * @param recordBytes empty for the input's own
     */
    public record Cell(String recordBytes, String partitions, List<String> arguments) {
        /** The name of its folder, and what tells its rows apart. */
        public String name() {
            return (recordBytes.isEmpty() ? "" : recordBytes + "-bytes-") + partitions + "-partitions";
        }
    }
}
