package io.tidegate.connect.bench.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.yaml.YamlFile;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The combinations to measure: lists of tasks, partitions, record sizes and settings, and common options. */
public record SweepFile(JsonNode yaml) {
    /** Options of {@code ./bench sink} that each add a candidate. */
    private static final List<String> REPEATED = List.of("config", "peer");

    private static final List<String> LISTS = List.of("input", "tasks", "runs", "warm-ups", "value-form");
    private static final List<String> FLAGS = List.of("no-op-sink", "raw-client");
    private static final Set<String> KEYS = Set.of(
            ("config peer records megabytes input tasks partitions runs warm-ups vary record-bytes document-bytes"
                            + " keys value-form no-op-sink raw-client")
                    .split(" ", -1));
    private static final Map<String, String> DEFAULTS =
            Map.of("config", "jsonb", "input", "noaa", "tasks", "1", "runs", "1", "warm-ups", "1");
    private static final long DEFAULT_RECORDS = 200_000;

    /** Reads a file. Its keys are options of {@code ./bench sink}. */
    public static SweepFile read(Path file) throws ToolException {
        JsonNode yaml = YamlFile.read(file, KEYS);
        YamlFile.number(file, yaml, "records", 0);
        YamlFile.number(file, yaml, "megabytes", 0);
        return new SweepFile(yaml);
    }

    /** One call of {@code ./bench sink} for each topic. Candidates that share a topic run in turns. */
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        String size = yaml.has("document-bytes") ? "document-bytes" : "record-bytes";
        for (String keys : texts("keys", "")) {
            for (String bytes : texts(size, "")) {
                for (String partition : texts("partitions", "4")) {
                    cells.add(new Cell(keys, bytes, partition, arguments(keys, size, bytes, partition)));
                }
            }
        }
        return cells;
    }

    private List<String> arguments(String keys, String size, String bytes, String partition) {
        List<String> arguments = new ArrayList<>();
        for (String key : REPEATED) {
            texts(key, DEFAULTS.getOrDefault(key, "")).forEach(text -> option(arguments, key, text));
        }
        for (String key : LISTS) {
            option(arguments, key, String.join(",", texts(key, DEFAULTS.getOrDefault(key, ""))));
        }
        option(arguments, "records", Long.toString(records(bytes)));
        option(arguments, "partitions", partition);
        option(arguments, "keys", keys);
        option(arguments, size, bytes);
        for (Map.Entry<String, JsonNode> varied : yaml.path("vary").properties()) {
            option(arguments, "vary", varied.getKey() + "=" + String.join(",", texts(varied.getValue())));
        }
        FLAGS.stream().filter(flag -> yaml.path(flag).asBoolean()).forEach(flag -> arguments.add("--" + flag));
        return List.copyOf(arguments);
    }

    /** With {@code megabytes}, as many records of that size as they hold. */
    private long records(String bytes) {
        return yaml.has("megabytes") && bytes.matches("[1-9][0-9]{0,17}") // ./bench sink refuses other sizes
                ? Math.max(1, (long) (yaml.path("megabytes").asDouble() * 1e6 / Long.parseLong(bytes)))
                : yaml.path("records").asLong(DEFAULT_RECORDS);
    }

    private static void option(List<String> arguments, String key, String value) {
        if (!value.isEmpty()) {
            arguments.addAll(List.of("--" + key, value));
        }
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
     * @param keys the records' keys; empty for those of the input
     * @param bytes the size of a value; empty for the sizes of the input
     */
    public record Cell(String keys, String bytes, String partitions, List<String> arguments) {
        /** The name of its folder. It also identifies its rows in the results. */
        public String name() {
            return (keys.isEmpty() ? "" : keys + "-keys-") + (bytes.isEmpty() ? "" : bytes + "-bytes-") + partitions
                    + "-partitions";
        }
    }
}
