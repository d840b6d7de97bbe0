package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Draws cases for the Elasticsearch sink. */
public final class SearchDraw implements SinkDraw {
    private static final int MOST_DRAWS = 1_000;
    private static final String FIELD_ID = "${field:$.id}";
    private static final int LEAST_CLOSE_MS = 2_000; // in which a request that was sent is carried out, also under load
    private static final String FIELD_VERSION = "${field:$.version}";
    private static final Set<String> SHAPE = Set.of(
            "key.ignore",
            "document.id",
            "write.method",
            "external.version",
            "external.version.type",
            "behavior.on.null.values",
            "behavior.on.malformed.documents",
            "behavior.on.version.conflicts",
            "ordering",
            "vector.fields",
            "index.name",
            "topic.index.map",
            "topic.index.regex",
            "value.format",
            "value.envelope",
            "schema.registry.url",
            "connection.url");

    private final ElasticsearchBulkSinkConnector connector = new ElasticsearchBulkSinkConnector();
    private final Accepted accepted = new Accepted(
            connector, Map.of("connection.url", "http://localhost", "schema.registry.url", "http://localhost"));
    private final Definition definition = new Definition(connector.config());
    private final Knobs knobs = new Knobs(definition)
            .any("connection.compression", "value.framing", "validate.server")
            .any("debezium.truncates", "debezium.unavailable.values")
            .number("batch.size", 1, 10_000)
            .number("batch.max.bytes", 1_024, 10_000_000)
            .number("linger.ms", 0, 400)
            .number("max.in.flight.requests", 1, 8)
            .number("connection.pool.max.size", 1, 100)
            .number("connection.timeout.ms", 1_000, 10_000)
            .number("read.timeout.ms", 2_401, 60_000)
            .number("connection.max.idle.ms", 0, 30_000)
            .number("connection.max.lifetime.ms", 0, 300_000)
            .number("retry.backoff.ms", 1, 100)
            .number("retry.backoff.max.ms", 1, 2_401)
            .number("buffer.max.bytes", 1_048_576, 20_000_000)
            .number("commit.drain.ms", 0, 2_401)
            .number("close.timeout.ms", 0, 2_401)
            .number("unauthorized.retry.ms", 10_000, 900_000); // longer than a proxy answers for the server
    private final Plot plot;
    private final boolean vectors;

    /**
     * Draws for one kind of servers.
     *
     * @param vectors whether the mapping of each index has vectors
     */
    public SearchDraw(Plot plot, boolean vectors) {
        this.plot = plot;
        this.vectors = vectors;
    }

    @Override
    public CheckCase draw(long seed) {
        Draw draw = new Draw(seed);
        for (int i = 0; i < MOST_DRAWS; i++) {
            Drawn drawn = new Drawn(draw);
            if (accepted.problems(drawn.settings).isEmpty() && drawn.isKnown()) {
                CheckCase draft = new CheckCase(
                        "es",
                        seed,
                        drawn.settings,
                        drawn.topics,
                        List.of(),
                        vectors ? Map.of("store", "search", "vector", TableText.VECTOR) : Map.of("store", "search"),
                        draw.chance(40),
                        List.of());
                return plot.told(draw, draft, drawn.story());
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
        private boolean sameIndex;

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
            set(60, "key.ignore", values("key.ignore"));
            set(40, "document.id", List.of("key", "coordinates", "none", FIELD_ID));
            set(60, "write.method", List.of("index", "create", "upsert"));
            set(
                    40,
                    "external.version",
                    form.isDebezium()
                            ? List.of("none", "offset", "source_position", "source_position")
                            : List.of("none", "offset", FIELD_VERSION, FIELD_VERSION));
            set(40, "external.version.type", values("external.version.type"));
            set(60, "behavior.on.null.values", values("behavior.on.null.values"));
            set(30, "behavior.on.malformed.documents", List.of("ignore", "warn", "dlq"));
            set(30, "behavior.on.version.conflicts", List.of("retry", "ignore", "warn"));
            set(40, "ordering", values("ordering"));
            set(40, "vector.fields", List.of(TableText.VECTOR));
            indexes();
            knobs.draw(draw, settings);
        }

        private List<String> values(String key) {
            return definition.values(key, 0, 0);
        }

        private void set(int percent, String key, List<String> values) {
            if (draw.chance(percent)) {
                settings.put(key, draw.pick(values));
            }
        }

        private boolean is(String key, String value) {
            return value.equals(settings.get(key));
        }

        private void indexes() {
            switch (draw.between(0, 9)) {
                case 0, 1 -> {
                    settings.put("index.name", "${case}-all");
                    sameIndex = topics.size() > 1;
                }
                case 2 -> settings.put("topic.index.map", "${case}-a:${case}-mapped");
                case 3 -> {
                    settings.put("topic.index.regex", "${case}-(.+)");
                    settings.put("index.name", "${case}-of-${1}");
                }
                case 4 -> {
                    settings.put("index.name", "${case}-${header:dest}");
                    settings.put("header.converter", "org.apache.kafka.connect.storage.StringConverter");
                    destinations = draw.between(1, 3);
                    sameIndex = topics.size() > 1;
                }
                default -> {
                    sameIndex = routes && topics.size() > 1;
                }
            }
        }

        private boolean isByKey() {
            String id = settings.getOrDefault("document.id", "auto");
            return id.equals("key") || (id.equals("auto") && !is("key.ignore", "true"));
        }

        /** Offsets as versions need keys that stay in one partition of one topic. */
        private boolean isByOffset() {
            String version = settings.getOrDefault("external.version", "auto");
            return version.equals("offset") || (version.equals("auto") && isByKey());
        }

        private boolean isByField() {
            return is("document.id", FIELD_ID);
        }

        /**
         * Whether an older document can replace a newer one, if the server carries out the last request of a stopped task
         * after the first one of the next task.
         */
        private boolean mayComeLate() {
            boolean isShared = isByKey() || isByField();
            boolean isReplaced = settings.getOrDefault("write.method", "index").equals("index");
            boolean isVersioned = is("external.version", FIELD_VERSION)
                    || is("external.version", "source_position")
                    || (isReplaced && isByOffset());
            String closes = settings.get("close.timeout.ms");
            return isShared && !isVersioned && closes != null && Integer.parseInt(closes) < LEAST_CLOSE_MS;
        }

        /** Whether the oracle knows what must be stored. */
        boolean isKnown() {
            boolean deletes = is("behavior.on.null.values", "delete");
            boolean version = is("external.version", FIELD_VERSION);
            boolean isRenamed = settings.containsKey("topic.index.map") || settings.containsKey("topic.index.regex");
            return !mayComeLate()
                    && !(routes && isRenamed)
                    && !(strict && form == Form.FRAMED && is("value.framing", "none"))
                    && !(version && !(form.isRaw() || form == Form.MAP))
                    && !(version && (deletes || !is("external.version.type", "external_gte")))
                    && !(destinations > 0 && deletes)
                    && !(form.isDebezium() && isByField())
                    && !(is("debezium.unavailable.values", "keep") && !form.isDebezium());
        }

        Story story() {
            boolean merges = is("write.method", "upsert");
            boolean keepsAndDeletes = is("write.method", "create") && is("behavior.on.null.values", "delete");
            boolean moves = !merges && !keepsAndDeletes && !isByOffset() && !is("ordering", "key") && draw.chance(50);
            return new Story(
                    form,
                    isByKey(),
                    isByField(),
                    moves,
                    !strict
                            || !settings.getOrDefault("behavior.on.null.values", "fail")
                                    .equals("fail"),
                    is("external.version", FIELD_VERSION),
                    true,
                    sameIndex,
                    destinations,
                    drops,
                    strict,
                    topics);
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
