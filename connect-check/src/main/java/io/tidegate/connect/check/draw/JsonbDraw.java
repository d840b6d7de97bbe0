package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.jsonb.JsonbSinkConnector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Draws cases for the JSONB sink. */
public final class JsonbDraw implements SinkDraw {
    private static final int MOST_DRAWS = 1_000;
    private static final String COORDINATES = "topic,partition,offset";
    private static final Set<String> SHAPE = Set.of(
            "pk.mode",
            "pk.fields",
            "insert.mode",
            "insert.method",
            "delete.enabled",
            "stale.write.guard",
            "skip.unchanged",
            "metadata.columns",
            "extract.columns",
            "columns.from.fields",
            "delivery.guarantee",
            "ordering",
            "auto.create",
            "table.name.format",
            "topic.table.map",
            "topic.table.regex",
            "value.format",
            "value.envelope",
            "schema.registry.url",
            "connection.url",
            "connection.user",
            "connection.password");

    private final JsonbSinkConnector connector = new JsonbSinkConnector();
    private final Accepted accepted = new Accepted(
            connector,
            Map.of("connection.url", "jdbc:postgresql://localhost/x", "schema.registry.url", "http://localhost"));
    private final Definition definition = new Definition(connector.config());
    private final Knobs knobs = new Knobs(definition)
            .any("commit.durability", "behavior.on.null.values", "behavior.on.unstorable.characters", "value.framing")
            .any("behavior.on.missing.records", "validate.server", "debezium.truncates", "debezium.unavailable.values")
            .number("batch.size", 1, 10_000)
            .number("batch.max.bytes", 1_024, 10_000_000)
            .number("linger.ms", 0, 400)
            .number("max.in.flight.requests", 1, 8)
            .number("connection.pool.max.size", 1, 6)
            .number("connection.pool.wait.ms", 250, 20_000)
            .number("connection.timeout.ms", 1_000, 10_000)
            .number("socket.timeout.ms", 1_000, 60_000)
            .number("retry.backoff.ms", 1, 100)
            .number("retry.backoff.max.ms", 1, 2_401)
            .number("buffer.max.bytes", 1_048_576, 20_000_000)
            .number("commit.drain.ms", 0, 2_401)
            .number("close.timeout.ms", 0, 2_401);
    private final Plot plot;
    private final boolean vectors;

    /**
     * Draws for one kind of servers.
     *
     * @param vectors whether the server has pgvector
     */
    public JsonbDraw(Plot plot, boolean vectors) {
        this.plot = plot;
        this.vectors = vectors;
    }

    @Override
    public CheckCase draw(long seed) {
        Draw draw = new Draw(seed);
        for (int i = 0; i < MOST_DRAWS; i++) {
            Drawn drawn = new Drawn(draw);
            if (accepted.problems(drawn.settings).isEmpty() && drawn.isKnown()) {
                return plot.told(draw, drawn.draft(seed), drawn.story());
            }
        }
        throw new IllegalStateException("The connector refused " + MOST_DRAWS + " configurations of seed " + seed);
    }

    /** One attempt. */
    private final class Drawn {
        private final Draw draw;
        private final Map<String, String> settings = new TreeMap<>();
        private final Map<String, Integer> topics;
        private final Form form;
        private final boolean drops;
        private final boolean routes;
        private final boolean strict;
        private int destinations;
        private boolean sameTable;

        Drawn(Draw draw) {
            this.draw = draw;
            topics = Plot.topics(draw);
            form = draw.pick(
                    Form.BYTES,
                    Form.BYTES,
                    Form.BYTES,
                    Form.FRAMED,
                    Form.STRING,
                    Form.MAP,
                    Form.STRUCT,
                    Form.AVRO,
                    Form.DEBEZIUM,
                    Form.DEBEZIUM_MAP);
            form.configure(draw, settings);
            Plot.connect(draw, settings, topics);
            drops = Plot.transform(draw, settings);
            routes = Plot.route(draw, settings);
            strict = Plot.strict(draw, settings);
            settings.put("pk.mode", draw.pick(values("pk.mode")));
            settings.put("insert.mode", draw.pick(values("insert.mode")));
            set(40, "insert.method");
            set(40, "ordering");
            set(40, "skip.unchanged");
            set(50, "delete.enabled");
            set(50, "delivery.guarantee");
            set(30, "auto.create");
            if (is("pk.mode", "record_key") || is("pk.mode", "record_value")) {
                settings.put("pk.fields", "id");
            } else if (draw.chance(50) && !is("pk.mode", "kafka")) {
                settings.put("metadata.columns", COORDINATES);
            }
            guard();
            fields();
            tables();
            knobs.draw(draw, settings);
        }

        private List<String> values(String key) {
            return definition.values(key, 0, 0);
        }

        private void set(int percent, String key) {
            if (draw.chance(percent)) {
                settings.put(key, draw.pick(values(key)));
            }
        }

        private boolean is(String key, String value) {
            return value.equals(settings.get(key));
        }

        private void guard() {
            boolean isGuarded = is("insert.mode", "upsert") || is("insert.mode", "merge");
            if (form.isDebezium() && isGuarded && draw.chance(30)) {
                settings.put("stale.write.guard", "source_position");
                settings.put(
                        "metadata.columns", draw.chance(50) ? "source_position" : COORDINATES + ",source_position");
                return;
            }
            if (isGuarded && draw.chance(35)) {
                if (draw.chance(50)) {
                    settings.put("stale.write.guard", "offset");
                    settings.put("metadata.columns", COORDINATES);
                } else {
                    settings.put("stale.write.guard", "version");
                    settings.put("extract.columns", "version:$.version::bigint");
                }
            }
        }

        private void fields() {
            if (draw.chance(30)) {
                settings.put("columns.from.fields", draw.pick("known", "add"));
                settings.remove("extract.columns");
            }
        }

        private void tables() {
            switch (draw.between(0, 9)) {
                case 0, 1 -> {
                    settings.put("table.name.format", "${case}-all");
                    sameTable = topics.size() > 1;
                }
                case 2 -> settings.put("topic.table.map", "${case}-a:${case}-mapped");
                case 3 -> {
                    settings.put("topic.table.regex", "${case}-(.+)");
                    settings.put("table.name.format", "${case}-of-${1}");
                }
                case 4 -> {
                    settings.put("table.name.format", "${case}-${header:dest}");
                    settings.put("header.converter", "org.apache.kafka.connect.storage.StringConverter");
                    destinations = draw.between(1, 3);
                    sameTable = topics.size() > 1;
                }
                default -> {
                    sameTable = routes && topics.size() > 1;
                }
            }
        }

        /** Whether the oracle knows what must be stored. */
        boolean isKnown() {
            boolean keyed = is("pk.mode", "record_key") || is("pk.mode", "record_value");
            boolean deletes = is("delete.enabled", "true");
            boolean version = is("stale.write.guard", "version");
            // A record that a transform drops is not delivered again, so it counts as missing after the server went
            // back.
            boolean failsForDropped = is("behavior.on.missing.records", "fail") && settings.containsKey("transforms");
            boolean isRenamed = settings.containsKey("topic.table.map") || settings.containsKey("topic.table.regex");
            return !failsForDropped
                    && !(routes && isRenamed)
                    && !(strict && form == Form.FRAMED && is("value.framing", "none"))
                    && !(keyed && is("insert.mode", "insert") && isUnique())
                    && !(is("insert.mode", "insert") && deletes)
                    && !(form.isDebezium() && is("pk.mode", "record_value"))
                    && !(version && (deletes || !(form.isRaw() || form == Form.MAP)))
                    && !(version && settings.containsKey("columns.from.fields") && is("auto.create", "true"))
                    && !(destinations > 0 && deletes)
                    && !(is("ordering", "none") && keyed)
                    && !(is("debezium.unavailable.values", "keep") && !form.isDebezium());
        }

        private boolean isUnique() {
            return !is("insert.mode", "insert")
                    || (is("pk.mode", "kafka")
                            && !is("auto.create", "true")
                            && !settings.containsKey("table.name.format"));
        }

        Story story() {
            boolean merges = is("insert.mode", "merge");
            boolean keepsAndDeletes = is("insert.mode", "ignore") && is("delete.enabled", "true");
            boolean moves = !merges && !keepsAndDeletes && !is("ordering", "key") && draw.chance(50);
            return new Story(
                    form,
                    is("pk.mode", "record_key"),
                    is("pk.mode", "record_value"),
                    moves,
                    !strict || is("delete.enabled", "true") || !is("behavior.on.null.values", "fail"),
                    is("stale.write.guard", "version"),
                    false,
                    sameTable,
                    destinations,
                    drops,
                    strict,
                    topics);
        }

        CheckCase draft(long seed) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("unique", Boolean.toString(isUnique()));
            List<String> statements = new ArrayList<>();
            if (!is("auto.create", "true")) {
                Map<String, String> columns = fieldColumns();
                if (columns.containsKey(TableText.VECTOR)) {
                    facts.put("vector", TableText.VECTOR);
                }
                TableText text = new TableText(settings, isUnique(), columns);
                names().forEach(name -> statements.add(text.create(name)));
            }
            if (draw.chance(50) && !is("auto.create", "true")) {
                facts.put("sequence", "true");
            }
            return new CheckCase("jsonb", seed, settings, topics, statements, facts, draw.chance(40), List.of());
        }

        /** Columns for some fields, with a guard for the one that it compares. */
        private Map<String, String> fieldColumns() {
            Map<String, String> columns = new TreeMap<>();
            if (settings.containsKey("columns.from.fields")) {
                TableText.FIELDS.forEach((field, type) -> {
                    if (draw.chance(50) || is("stale.write.guard", field)) {
                        columns.put(field, type);
                    }
                });
                if (draw.chance(50) && vectors) {
                    columns.put(TableText.VECTOR, "vector(3)");
                }
            }
            return columns;
        }

        private List<String> names() {
            String format = settings.getOrDefault("table.name.format", "${topic}");
            if (destinations > 0) {
                return List.of("d0", "d1", "d2").subList(0, destinations).stream()
                        .map(name -> "${case}-" + name)
                        .toList();
            }
            TreeSet<String> names = new TreeSet<>();
            for (String topic : topics.keySet()) {
                boolean mapped = settings.containsKey("topic.table.map") && topic.equals("a");
                names.add(
                        mapped
                                ? "${case}-mapped"
                                : format.replace("${topic}", "${case}-" + (routes ? "routed" : topic))
                                        .replace("${1}", topic));
            }
            return List.copyOf(names);
        }
    }

    @Override
    public Set<String> drawn() {
        Set<String> drawn = new TreeSet<>(SHAPE);
        drawn.addAll(knobs.keys());
        return drawn;
    }

    @Override
    public Map<String, String> notDrawn() {
        Map<String, String> reasons = new TreeMap<>();
        definition.def().names().stream()
                .filter(name -> !drawn().contains(name))
                .forEach(name -> reasons.put(name, NotDrawn.reason(name)));
        return reasons;
    }
}
