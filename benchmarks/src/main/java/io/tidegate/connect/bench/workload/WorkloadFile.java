package io.tidegate.connect.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.load.Timetable;
import io.tidegate.connect.bench.records.Payloads;
import io.tidegate.connect.bench.yaml.YamlFile;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A load as its file describes it.
 *
 * @param workerHeap the heap of each worker, as in {@code -Xmx}
 * @param input a file whose JSON objects are the values, in turn; empty for NOAA's readings
 * @param recordBytes the size of a value, which is filled up or replaced; empty for the sizes of the input
 * @param late how records are handled that are not sent when their phase ends
 * @param generator the kind of generator
 * @param generatorTasks the tasks of a generator that is a connector
 * @param watchCommits whether latencies end when a record is visible, and the slowest records are explained
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
        GeneratorKind generator,
        int generatorTasks,
        boolean watchCommits,
        List<LoadPhase> phases) {
    @SuppressWarnings("ImmutableEnumChecker") // the constructors keep no state
    public enum GeneratorKind {
        /** A producer in the benchmark's own process. */
        PRODUCER(ProducerGenerator::new),
        /** A source connector on a separate worker. */
        CONNECTOR(ConnectorGenerator::new);

        private final Factory factory;

        GeneratorKind(Factory factory) {
            this.factory = factory;
        }

        private interface Factory {
            Generator start(LoadTest test, WorkloadFile load, List<byte[]> values) throws ToolException;
        }
    }

    private static final Set<String> KEYS =
            Set.of(("about config tasks partitions worker-heap input record-bytes late-records generator "
                            + "generator-tasks watch-commits warm-up-seconds repeat phases")
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
        int repeat = yaml.path("repeat").asInt(1);
        if (repeat < 1 || (long) repeat * phases.size() > MAX_PHASES) {
            throw new ToolException(file + ": repeat must be 1 or more, and at most " + MAX_PHASES + " phases in all");
        }
        List<LoadPhase> all = new ArrayList<>();
        double warmUp = yaml.path("warm-up-seconds").asDouble(10);
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
                yaml.path("tasks").asInt(2),
                yaml.path("partitions").asInt(4),
                yaml.path("worker-heap").asText("512m"),
                yaml.has("input") ? Optional.of(Path.of(yaml.path("input").asText())) : Optional.empty(),
                yaml.has("record-bytes") ? Optional.of(recordBytes(file, yaml)) : Optional.empty(),
                choice(file, yaml, "late-records", Timetable.Late.SEND),
                choice(file, yaml, "generator", GeneratorKind.PRODUCER),
                Math.max(1, yaml.path("generator-tasks").asInt(1)),
                yaml.path("watch-commits").asBoolean(),
                List.copyOf(all));
    }

    /**
     * Starts to send the load.
     *
     * @param values the values, used in turn
     */
    public Generator start(LoadTest test, List<byte[]> values) throws ToolException {
        return generator.factory.start(test, this, values);
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

    /** Reads a key whose value is the name of a constant in lower case. */
    private static <E extends Enum<E>> E choice(Path file, JsonNode yaml, String key, E byDefault)
            throws ToolException {
        List<E> all = List.of(byDefault.getDeclaringClass().getEnumConstants());
        String name = yaml.path(key).asText(byDefault.name());
        return all.stream()
                .filter(one -> one.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new ToolException(file + ": " + key + " must be "
                        + all.stream()
                                .map(one -> one.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(" or "))
                        + ", not " + name));
    }

    private static LoadPhase phase(Path file, JsonNode node, int index) throws ToolException {
        YamlFile.requireKeys(file, node, PHASE_KEYS);
        String name = node.path("name").asText("phase " + (index + 1));
        double rate = node.path("rate").asDouble(0);
        try {
            Phase shape = new Phase(
                    node.path("from").asDouble(rate),
                    node.path("to").asDouble(rate),
                    node.path("seconds").asDouble(0));
            return new LoadPhase(name, shape, true);
        } catch (IllegalArgumentException e) {
            throw new ToolException(file + ": " + name + ": " + e.getMessage(), e);
        }
    }
}
