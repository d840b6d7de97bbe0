package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.CheckCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Draws cases for a sink that a file describes. Values are JSON that every store takes. */
public final class FileDraw implements SinkDraw {
    private static final String TOPIC = "${topic}";

    private final Plot plot;
    private final String name;
    private final String store;
    private final List<String> statements;
    private final Map<String, List<String>> vary;
    private final Map<String, String> promises;

    public FileDraw(
            Plot plot,
            String name,
            String store,
            List<String> statements,
            Map<String, List<String>> vary,
            Map<String, String> promises) {
        this.plot = plot;
        this.name = name;
        this.store = store;
        this.statements = List.copyOf(statements);
        this.vary = Map.copyOf(vary);
        this.promises = Map.copyOf(promises);
    }

    @Override
    public CheckCase draw(long seed) {
        Draw draw = new Draw(seed);
        Map<String, Integer> topics = Plot.topics(draw);
        Map<String, String> settings = new TreeMap<>();
        Plot.connect(draw, settings, topics);
        new TreeMap<>(vary).forEach((key, values) -> settings.put(key, draw.pick(values)));
        List<String> tables = new ArrayList<>();
        topics.keySet()
                .forEach(topic -> statements.forEach(text -> tables.add(text.replace(TOPIC, "${case}-" + topic))));
        CheckCase draft =
                new CheckCase(name, seed, settings, topics, tables, Map.of("store", store), draw.chance(40), List.of());
        boolean keyed = promises.getOrDefault("identity", "none").equals("key");
        boolean deletes = Boolean.parseBoolean(promises.get("deletes"));
        Story story = new Story(
                Form.STRING,
                keyed,
                false,
                false,
                deletes,
                false,
                store.equals("search"),
                false,
                0,
                false,
                true,
                topics);
        return plot.told(draw, draft, story);
    }

    @Override
    public Map<String, String> notDrawn() {
        return Map.of();
    }

    @Override
    public Set<String> drawn() {
        return vary.keySet();
    }
}
