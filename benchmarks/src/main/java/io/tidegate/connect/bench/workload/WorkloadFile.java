package io.tidegate.connect.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.records.Payloads;
import io.tidegate.connect.bench.yaml.YamlFile;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A load as its file describes it.
 *
 * @param workerHeap the heap of each worker, as in {@code -Xmx}
 * @param input a file whose JSON objects are the values, in turn; empty for NOAA's readings
 * @param recordBytes the size of a value, which is filled up or replaced; empty for the sizes of the input
 * @param late how records are handled that are not sent when their phase ends
 * @param watchCommits whether latencies end when a record is visible
 * @param phases all phases in order, repetitions included
 */
public record WorkloadFile(
        String config,
        int tasks,
        int partitions,
        String workerHeap,
        Optional<Path> input,
        Optional<Integer> recordBytes,
        Timetable.Late late,
        boolean watchCommits,
        List<LoadPhase> phases) {
    private static final Set<String> KEYS =
            Set.of(("about config tasks partitions worker-heap input record-bytes late-records "
                            + "watch-commits warm-up-seconds repeat phases")
                    .split(" ", -1));
    private static final Set<String> PHASE_KEYS = Set.of("name", "rate", "from", "to", "seconds");
    private static final int MAX_PHASES = 10_000;
    /** The rate of the warm-up if the first phase starts without a rate. */
    private static final double WARM_UP_RATE = 1000;

    public static WorkloadFile read(Path file) throws ToolException {
        JsonNode yaml = YamlFile.read(file, KEYS);
        List<LoadPhase> phases = new ArrayList<>();
        for (JsonNode node : yaml.path("phases")) {
            phases.add(phase(file, node, phases.size()));
        }
        if (phases.isEmpty()) {
            throw new ToolException(file + ": there are no phases");
        }
        int repeat = (int) YamlFile.number(file, yaml, "repeat", 1);
        if (repeat < 1 || (long) repeat * phases.size() > MAX_PHASES) {
            throw new ToolException(file + ": repeat must be 1 or more, and at most " + MAX_PHASES + " phases in all");
        }
        List<LoadPhase> all = new ArrayList<>();
        double warmUp = YamlFile.number(file, yaml, "warm-up-seconds", 10);
        if (warmUp > 0) {
            Phase first = phases.get(0).shape();
            double rate = first.from() > 0 ? first.from() : WARM_UP_RATE;
            all.add(new LoadPhase("warm-up", new Phase(rate, rate, warmUp), false));
        }
        for (int round = 0; round < repeat; round++) {
            all.addAll(phases);
        }
        return new WorkloadFile(
                yaml.path("config").asText("jsonb"),
                (int) YamlFile.number(file, yaml, "tasks", 2),
                (int) YamlFile.number(file, yaml, "partitions", 4),
                yaml.path("worker-heap").asText("512m"),
                yaml.has("input") ? Optional.of(Path.of(yaml.path("input").asText())) : Optional.empty(),
                yaml.has("record-bytes") ? Optional.of(recordBytes(file, yaml)) : Optional.empty(),
                late(file, yaml),
                yaml.path("watch-commits").asBoolean(),
                List.copyOf(all));
    }

    /** The phases without their names. */
    public List<Phase> shapes() {
        return phases.stream().map(LoadPhase::shape).toList();
    }

    private static int recordBytes(Path file, JsonNode yaml) throws ToolException {
        int bytes = yaml.path("record-bytes").asInt();
        if (bytes < Payloads.SMALLEST_BYTES || bytes > Payloads.LARGEST_BYTES) {
            throw new ToolException(
                    file + ": record-bytes must be " + Payloads.SMALLEST_BYTES + " to " + Payloads.LARGEST_BYTES
                            + ", not " + yaml.path("record-bytes").asText());
        }
        return bytes;
    }

    private static Timetable.Late late(Path file, JsonNode yaml) throws ToolException {
        String late = yaml.path("late-records").asText("send");
        return switch (late) {
            case "send" -> Timetable.Late.SEND;
            case "drop" -> Timetable.Late.DROP;
            default -> throw new ToolException(file + ": late-records must be send or drop, not " + late);
        };
    }

    private static LoadPhase phase(Path file, JsonNode node, int index) throws ToolException {
        YamlFile.requireKeys(file, node, PHASE_KEYS);
        String name = node.path("name").asText("phase " + (index + 1));
        double rate = YamlFile.number(file, node, "rate", 0);
        try {
            Phase shape = new Phase(
                    YamlFile.number(file, node, "from", rate),
                    YamlFile.number(file, node, "to", rate),
                    YamlFile.number(file, node, "seconds", 0));
            return new LoadPhase(name, shape, true);
        } catch (IllegalArgumentException e) {
            throw new ToolException(file + ": " + name + ": " + e.getMessage(), e);
        }
    }
}
