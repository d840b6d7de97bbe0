package io.tidegate.connect.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.harness.YamlFile;
import io.tidegate.connect.tools.command.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The combinations to measure: lists of tasks, partitions, record sizes and settings, and common options. */
public record SweepFile(JsonNode yaml) {
    private static final Set<String> KEYS = Set.of(
            "config records input tasks partitions runs warm-ups vary record-bytes floor ceiling".split(" ", -1));

    /** Reads a file. Its keys are options of {@code ./bench sink}. */
    public static SweepFile read(Path file) throws ToolException {
        return new SweepFile(YamlFile.read(file, KEYS));
    }

    /** One call of {@code ./bench sink} for each topic. Candidates that share a topic run in turns. */
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

    /** The values of a list; a single value is a list of one. */
    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isValueNode()) {
            texts.add(node.asText());
        }
        node.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    /**
     * The combinations that share a topic.
     *
     * @param recordBytes the size of a value; empty for the sizes of the input
     */
    public record Cell(String recordBytes, String partitions, List<String> arguments) {
        /** The name of its folder. It also identifies its rows in the results. */
        public String name() {
            return (recordBytes.isEmpty() ? "" : recordBytes + "-bytes-") + partitions + "-partitions";
        }
    }
}
