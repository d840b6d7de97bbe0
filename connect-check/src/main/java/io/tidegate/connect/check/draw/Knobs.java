package io.tidegate.connect.check.draw;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a sink that are drawn independently of each other, because they never change what must be stored. Their
 * values are those of the sink's own definition.
 */
public final class Knobs {
    private static final int SET = 35;

    private final Definition definition;
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    public Knobs(Definition definition) {
        this.definition = definition;
    }

    /** Draws an enumeration or a flag. */
    public Knobs any(String... keys) {
        for (String key : keys) {
            values.put(key, definition.values(key, Long.MIN_VALUE, Long.MAX_VALUE));
        }
        return this;
    }

    /** Draws a number between these bounds. */
    public Knobs number(String key, long least, long most) {
        values.put(key, definition.values(key, least, most));
        return this;
    }

    /** The settings that may be drawn. */
    public List<String> keys() {
        return new ArrayList<>(values.keySet());
    }

    /** The values that a setting may get. */
    public List<String> values(String key) {
        return values.get(key);
    }

    /** Sets some of them. */
    public void draw(Draw draw, Map<String, String> settings) {
        values.forEach((key, allowed) -> {
            if (draw.chance(SET)) {
                settings.putIfAbsent(key, draw.pick(allowed));
            }
        });
    }
}
