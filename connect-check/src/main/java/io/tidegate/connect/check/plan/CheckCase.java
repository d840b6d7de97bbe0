package io.tidegate.connect.check.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A case. {@code ${case}} in a setting or statement stands for the name that the case has in a run.
 *
 * @param sink the name of the sink
 * @param seed from which it was drawn
 * @param settings of the connector, without addresses and credentials
 * @param topics suffixes of topics and the number of their partitions
 * @param store what is done to the store before the connector starts: statements, or the mapping of indexes
 * @param facts about the store that decide what is promised
 * @param early whether the first records are sent before the connector exists
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CheckCase(
        String sink,
        long seed,
        Map<String, String> settings,
        Map<String, Integer> topics,
        List<String> store,
        Map<String, String> facts,
        boolean early,
        List<Step> steps) {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String NAME = "${case}";

    public CheckCase {
        settings = settings == null ? Map.of() : new TreeMap<>(settings);
        topics = topics == null ? Map.of() : new TreeMap<>(topics);
        store = store == null ? List.of() : List.copyOf(store);
        facts = facts == null ? Map.of() : new TreeMap<>(facts);
        steps = steps == null ? List.of() : List.copyOf(steps);
    }

    /**
     * Reads what {@link #json} printed.
     *
     * @throws IllegalArgumentException if the text is not such a case
     */
    public static CheckCase parse(String json) {
        try {
            return JSON.readValue(json, CheckCase.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a case: " + e.getOriginalMessage(), e);
        }
    }

    /** The case as JSON of several lines. */
    public String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether fields of documents have columns. */
    public boolean hasFieldColumns() {
        return settings.containsKey("columns.from.fields");
    }

    /** Fields that the store takes as vectors. */
    public List<String> vectorFields() {
        return Optional.ofNullable(facts.get("vector")).stream().toList();
    }

    /** The settings of the case in a run. */
    public Map<String, String> settingsOf(String name) {
        Map<String, String> named = new LinkedHashMap<>();
        settings.forEach((key, value) -> named.put(key, named(value, name)));
        return named;
    }

    /** A text of the case in a run. */
    public static String named(String text, String name) {
        return text.replace(NAME, name);
    }

    public CheckCase withSettings(Map<String, String> others) {
        return new CheckCase(sink, seed, others, topics, store, facts, early, steps);
    }

    public CheckCase withSteps(List<Step> others) {
        return new CheckCase(sink, seed, settings, topics, store, facts, early, others);
    }

    /** What happens in the case, by name. */
    @JsonIgnore
    public Set<String> happenings() {
        return steps.stream()
                .map(Step::happening)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(java.util.TreeSet::new));
    }

    @JsonIgnore
    public int records() {
        return steps.stream().mapToInt(step -> step.send().size()).sum();
    }
}
