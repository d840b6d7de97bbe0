package io.tidegate.connect.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.yaml.YamlFile;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The changes to measure, as a file of {@code benchmarks/backfill} lists them.
 *
 * @param variants the defaults, the defaults with one change each, and with all that are meant to be combined
 */
record BackfillFile(List<Variant> variants) {
    static final String DEFAULTS = "defaults";
    private static final Set<String> KEYS = Set.of("set", "before", "after", "changes");
    private static final Set<String> CHANGE_KEYS = Set.of("name", "set", "before", "after", "tasks", "alone");

    /**
     * Settings, and work on the store before and after a run.
     *
     * @param tasks the number of tasks; 0 for the default
     * @param alone whether it is left out where all changes are combined
     */
    record Variant(
            String name,
            Map<String, String> settings,
            List<String> before,
            List<String> after,
            int tasks,
            boolean alone) {
        ConnectorSpec of(ConnectorSpec spec) {
            return spec.with(spec.name() + ", " + name, settings).around(before, after);
        }

        /** Both. The other's work after a run is done first, because this one's ends it. */
        Variant with(Variant other, String newName) {
            Map<String, String> both = new LinkedHashMap<>(settings);
            both.putAll(other.settings);
            return new Variant(
                    newName,
                    both,
                    Stream.concat(before.stream(), other.before.stream()).toList(),
                    Stream.concat(other.after.stream(), after.stream()).toList(),
                    Math.max(tasks, other.tasks),
                    false);
        }
    }

    static BackfillFile read(Path file) throws ToolException {
        JsonNode yaml = YamlFile.read(file, KEYS);
        Variant defaults = variant(DEFAULTS, yaml);
        List<Variant> all = new ArrayList<>(List.of(defaults));
        Variant together = defaults;
        for (JsonNode node : yaml.path("changes")) {
            YamlFile.requireKeys(file, node, CHANGE_KEYS);
            Variant change = variant(node.path("name").asText(), node);
            all.add(defaults.with(change, change.name()));
            together = change.alone() ? together : together.with(change, "all together");
        }
        all.add(together);
        return new BackfillFile(List.copyOf(all));
    }

    private static Variant variant(String name, JsonNode node) {
        Map<String, String> settings = new LinkedHashMap<>();
        node.path("set")
                .properties()
                .forEach(one -> settings.put(one.getKey(), one.getValue().asText()));
        return new Variant(
                name,
                settings,
                texts(node.path("before")),
                texts(node.path("after")),
                node.path("tasks").asInt(),
                node.path("alone").asBoolean());
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        node.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
