package io.tidegate.connect.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.bench.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A load as its file describes it.
 *
 * @param recordBytes of a value; empty for NOAA's records
 * @param phases in order, repetitions included
 */
record WorkloadFile(String config, int tasks, int partitions, Optional<Integer> recordBytes, List<Phase> phases) {
    private static final Set<String> KEYS =
            Set.of("about", "config", "tasks", "partitions", "record-bytes", "warm-up-seconds", "repeat", "phases");
    private static final Set<String> PHASE_KEYS = Set.of("name", "rate", "from", "to", "seconds");
    private static final int MOST_PHASES = 10_000;

    static WorkloadFile read(Path file) throws BenchException {
        JsonNode yaml = YamlFile.read(file, KEYS);
        List<Phase> phases = new ArrayList<>();
        for (JsonNode node : yaml.path("phases")) {
            phases.add(phase(file, node, phases.size()));
        }
        if (phases.isEmpty()) {
            throw new BenchException(file + ": there are no phases");
        }
        int repeat = yaml.path("repeat").asInt(1);
        if (repeat < 1 || (long) repeat * phases.size() > MOST_PHASES) {
            throw new BenchException(
                    file + ": repeat must be 1 or more, and at most " + MOST_PHASES + " phases in all");
        }
        List<Phase> all = new ArrayList<>();
        double warmUp = yaml.path("warm-up-seconds").asDouble(10);
        if (warmUp > 0) {
            Phase first = phases.get(0);
            all.add(new Phase(
                    "warm-up",
                    first.isUnbounded() ? 1000 : first.from(),
                    first.isUnbounded() ? 1000 : first.from(),
                    warmUp,
                    false));
        }
        for (int round = 0; round < repeat; round++) {
            all.addAll(phases);
        }
        return new WorkloadFile(
                yaml.path("config").asText("jsonb"),
                yaml.path("tasks").asInt(2),
                yaml.path("partitions").asInt(4),
                yaml.has("record-bytes") ? Optional.of(yaml.path("record-bytes").asInt()) : Optional.empty(),
                List.copyOf(all));
    }

    private static Phase phase(Path file, JsonNode node, int index) throws BenchException {
        YamlFile.requireKeys(file, node, PHASE_KEYS);
        String name = node.path("name").asText("phase " + (index + 1));
        double rate = node.path("rate").asDouble(0);
        Phase phase = new Phase(
                name,
                node.path("from").asDouble(rate),
                node.path("to").asDouble(rate),
                node.path("seconds").asDouble(0),
                true);
        if (phase.from() < 0 || phase.to() < 0 || phase.seconds() <= 0) {
            throw new BenchException(file + ": phase " + name + " needs seconds above 0 and no negative rate");
        }
        return phase;
    }
}
