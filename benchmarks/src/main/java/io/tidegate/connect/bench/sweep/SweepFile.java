package io.tidegate.connect.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to combine.
 *
 * @param config as for {@code --config}
 * @param vary settings, each with its values
 * @param recordBytes sizes of records; empty for the input's own
 */
public record SweepFile(
        String config,
        Map<String, List<String>> vary,
        List<String> tasks,
        List<String> partitions,
        List<String> recordBytes,
        String records,
        String input,
        String runs,
        String warmUps,
        boolean floor,
        boolean ceiling) {
    private static final Set<String> KEYS = Set.of(
            "config",
            "vary",
            "tasks",
            "partitions",
            "record-bytes",
            "records",
            "input",
            "runs",
            "warm-ups",
            "floor",
            "ceiling");

    public static SweepFile read(Path file) throws ToolException {
        JsonNode yaml = YamlFile.read(file, KEYS);
        Map<String, List<String>> vary = new LinkedHashMap<>();
        yaml.path("vary").properties().forEach(entry -> vary.put(entry.getKey(), texts(entry.getValue())));
        return new SweepFile(
                yaml.path("config").asText("jsonb"),
                vary,
                orElse(texts(yaml.path("tasks")), "1"),
                orElse(texts(yaml.path("partitions")), "4"),
                texts(yaml.path("record-bytes")),
                yaml.path("records").asText("200000"),
                yaml.path("input").asText("noaa"),
                yaml.path("runs").asText("1"),
                yaml.path("warm-ups").asText("1"),
                yaml.path("floor").asBoolean(),
                yaml.path("ceiling").asBoolean());
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isValueNode()) {
            texts.add(node.asText());
        }
        node.forEach(value -> texts.add(value.asText()));
        return List.copyOf(texts);
    }

    private static List<String> orElse(List<String> texts, String otherwise) {
        return texts.isEmpty() ? List.of(otherwise) : texts;
    }

    /** A call of {@code ./bench sink} for each topic: what shares one is measured together, in turns. */
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String bytes : orElse(recordBytes, "")) {
            for (String partition : partitions) {
                cells.add(new Cell(bytes, partition, arguments(bytes, partition)));
            }
        }
        return cells;
    }

    private List<String> arguments(String bytes, String partition) {
        List<String> arguments = new ArrayList<>(List.of("--config", config, "--records", records, "--input", input));
        arguments.addAll(List.of("--tasks", String.join(",", tasks), "--partitions", partition));
        arguments.addAll(List.of("--runs", runs, "--warm-ups", warmUps));
        vary.forEach((key, values) -> arguments.addAll(List.of("--vary", key + "=" + String.join(",", values))));
        if (!bytes.isEmpty()) {
            arguments.addAll(List.of("--record-bytes", bytes));
        }
        if (floor) {
            arguments.add("--floor");
        }
        if (ceiling) {
            arguments.add("--ceiling");
        }
        return List.copyOf(arguments);
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
