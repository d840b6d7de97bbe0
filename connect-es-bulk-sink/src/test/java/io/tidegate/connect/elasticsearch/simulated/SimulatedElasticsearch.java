package io.tidegate.connect.elasticsearch.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.task.Journal;
import io.tidegate.connect.common.task.Ledger;
import io.tidegate.connect.common.task.Plan;
import io.tidegate.connect.common.task.Plan.Ids;
import io.tidegate.connect.common.task.Plan.Mode;
import io.tidegate.connect.common.task.SimulatedSink;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.simulated.HttpServer.Reply;
import io.tidegate.connect.elasticsearch.simulated.SimulatedIndexes.Action;
import io.tidegate.connect.elasticsearch.simulated.SimulatedIndexes.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * The Elasticsearch sink over an HTTP server that answers as Elasticsearch does, or is in trouble. What trouble a request
 * meets depends on its first action and on how often that one has come, so that lanes that run at once do not change it.
 * Requests are answered one at a time.
 */
final class SimulatedElasticsearch implements SimulatedSink, AutoCloseable {
    private static final String REJECTED = "\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\"";

    private final HttpServer server = new HttpServer(this::answer);
    private SimulatedIndexes indexes = new SimulatedIndexes(this::settled); // guarded by this, as all below
    private Ledger ledger;
    private Journal journal;
    private long seed;
    private double failureRate;
    private final Map<String, Integer> seen = new HashMap<>(); // how often a first action has come
    private final Map<String, Integer> blocked = new HashMap<>(); // by index, for so many requests

    /** The address of the server. */
    String url() {
        return server.url();
    }

    @Override
    public TargetType type() {
        return new ElasticsearchTargetType();
    }

    @Override
    public Plan draw(Random random) {
        Ids ids = one(random, Ids.values());
        Mode mode = one(random, Mode.values());
        NullValues nulls = one(random, NullValues.values());
        String malformed = one(random, "dlq", "dlq", "warn", "ignore");
        String version = one(random, "auto", "auto", "none");
        boolean isVersioned = version.equals("auto") && mode == Mode.REPLACE;
        Map<String, String> settings = new HashMap<>();
        settings.put("connection.url", url());
        settings.put("index.name", "${topic}");
        settings.put(
                "document.id",
                switch (ids) {
                    case KEY -> "key";
                    case COORDINATES -> "coordinates";
                    case NONE -> "none";
                });
        settings.put(
                "write.method",
                switch (mode) {
                    case REPLACE -> "index";
                    case FIRST -> "create";
                    case MERGE -> "upsert";
                });
        settings.put("behavior.on.null.values", nulls.name().toLowerCase(Locale.ROOT));
        settings.put("behavior.on.malformed.documents", malformed);
        settings.put("external.version", version);
        if (ids == Ids.KEY && !isVersioned) {
            // A request that is cancelled may reach the server after a later one, and nothing refuses it there.
            settings.put("close.timeout.ms", "60000");
        }
        return new Plan(
                settings,
                ids,
                mode,
                isVersioned && ids == Ids.KEY,
                false,
                !malformed.equals("dlq"),
                nulls,
                isVersioned && ids == Ids.COORDINATES);
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }

    @Override
    public synchronized void begin(long newSeed, Plan plan, double rate, Ledger newLedger, Journal newJournal) {
        indexes = new SimulatedIndexes(this::settled);
        seed = newSeed;
        failureRate = rate;
        ledger = newLedger;
        journal = newJournal;
        seen.clear();
        blocked.clear();
    }

    @Override
    public boolean tellsWrites() {
        return true;
    }

    /** An index is blocked for some requests. */
    @Override
    public synchronized void event(Random random) {
        String index = "into-" + random.nextInt(3);
        journal.add("the index " + index + " is blocked");
        blocked.put(index, 1 + random.nextInt(4));
    }

    @Override
    public synchronized void calm() {
        failureRate = 0;
        blocked.clear();
    }

    @Override
    public synchronized List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        indexes.documents().forEach((place, stored) -> stored.source()
                .ifPresent(source -> rows.add(new Row(
                        place.contains("/#") ? place.substring(0, place.indexOf('/')) : place, fields(source)))));
        return rows;
    }

    private static Map<String, String> fields(JsonNode source) {
        Map<String, String> fields = new TreeMap<>();
        source.properties().forEach(field -> {
            if (!field.getKey().equals("padding")) {
                fields.put(field.getKey(), field.getValue().asText());
            }
        });
        return fields;
    }

    @Override
    public LogState log(TopicPartition partition) {
        return LogState.WRITTEN;
    }

    @Override
    public synchronized void accept(TopicPartition partition) {
        indexes.purge("/" + partition.topic() + "+" + partition.partition() + "+");
    }

    @Override
    public String otherLog() {
        return "the document with these coordinates is of a record with another timestamp";
    }

    private synchronized Reply answer(String method, String path, byte[] body) {
        String text = new String(body, UTF_8);
        if (path.startsWith("/_mget")) {
            return Reply.of(200, mget(text));
        }
        List<Action> actions = actions(text);
        if (actions.isEmpty()) {
            return Reply.of(400, "{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body is required\"}}");
        }
        String first = actions.get(0).place() + actions.get(0).source().orElse("");
        int time = seen.merge(first, 1, Integer::sum);
        Random trouble = new Random(seed * 31 + first.hashCode() * 17L + time);
        trouble.nextInt();
        if (trouble.nextDouble() >= failureRate) {
            return applied(actions, action -> false, "");
        }
        int kind = trouble.nextInt(TROUBLES.size());
        journal.add("bulk of " + actions.size() + " from " + actions.get(0).place() + " meets: " + TROUBLES.get(kind));
        return inTrouble(kind, actions, trouble);
    }

    private static final List<String> TROUBLES = List.of(
            "a cut before it is read",
            "a cut after it is done",
            "503",
            "429",
            "413",
            "a proxy's 502 after it is done",
            "half an answer",
            "shards that reject",
            "a model that is cold",
            "shards without a primary",
            "items with status 500",
            "half an answer, about shards that reject");

    private Reply inTrouble(int kind, List<Action> actions, Random trouble) {
        Predicate<Action> ofShard = action -> action.place().hashCode() % 2 == 0;
        Predicate<Action> some = action -> trouble.nextBoolean();
        return switch (kind) {
            case 0 -> Reply.CUT;
            case 1 -> {
                Reply unused = applied(actions, action -> false, "");
                yield Reply.CUT;
            }
            case 2 -> Reply.of(503, "{\"error\":{\"type\":\"master_not_discovered_exception\",\"reason\":\"\"}}");
            case 3 -> Reply.of(429, "{\"error\":{\"type\":\"circuit_breaking_exception\",\"reason\":\"\"}}");
            case 4 -> actions.size() == 1 ? applied(actions, action -> false, "") : new Reply(413, "", true, -1);
            case 5 -> {
                Reply unused = applied(actions, action -> false, "");
                yield new Reply(502, "Bad Gateway", false, -1);
            }
            case 6 -> {
                Reply whole = applied(actions, action -> false, "");
                yield new Reply(
                        200, whole.body(), true, trouble.nextInt(whole.body().length()));
            }
            case 7 -> applied(actions, ofShard, REJECTED);
            case 8 -> applied(actions, some, "\"status\":409,\"error\":{\"type\":\"status_exception\"");
            case 9 -> applied(actions, ofShard, "\"status\":503,\"error\":{\"type\":\"unavailable_shards_exception\"");
            case 10 -> applied(actions, some, "\"status\":500,\"error\":{\"type\":\"null_pointer_exception\"");
            default -> {
                String whole = applied(actions, ofShard, REJECTED).body();
                yield Reply.of(200, whole.substring(0, trouble.nextInt(whole.length())));
            }
        };
    }

    private Reply applied(List<Action> actions, Predicate<Action> failing, String error) {
        boolean isAnyFailed = false;
        List<String> items = new ArrayList<>();
        for (Action action : actions) {
            Optional<String> failure = isBlocked(action)
                    ? Optional.of("\"status\":403,\"error\":{\"type\":\"cluster_block_exception\"")
                    : failing.test(action) ? Optional.of(error) : Optional.empty();
            if (failure.isPresent()) {
                items.add("{\"" + action.name() + "\":{" + failure.get() + ",\"reason\":\"\"}}}");
                isAnyFailed = true;
            } else {
                Answer answer = indexes.apply(action);
                items.add(answer.json());
                isAnyFailed |= !answer.error().isEmpty();
            }
        }
        actions.stream().map(Action::index).distinct().forEach(this::unblock);
        return Reply.of(200, "{\"errors\":" + isAnyFailed + ",\"items\":[" + String.join(",", items) + "]}");
    }

    private boolean isBlocked(Action action) {
        return blocked.getOrDefault(action.index(), 0) > 0;
    }

    private void unblock(String index) {
        blocked.computeIfPresent(index, (same, left) -> left - 1);
    }

    /** The lines of a bulk request. */
    static List<Action> actions(String body) {
        List<Action> actions = new ArrayList<>();
        List<String> lines = body.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Map.Entry<String, JsonNode> action =
                    SimulatedIndexes.json(lines.get(i)).properties().iterator().next();
            boolean isDelete = action.getKey().equals("delete");
            actions.add(new Action(
                    action.getKey(), action.getValue(), isDelete ? Optional.empty() : Optional.of(lines.get(++i))));
        }
        return actions;
    }

    private String mget(String text) {
        List<String> docs = new ArrayList<>();
        SimulatedIndexes.json(text).get("docs").forEach(doc -> {
            String index = doc.get("_index").asText();
            String id = doc.get("_id").asText();
            Optional<SimulatedIndexes.Stored> stored = Optional.ofNullable(
                            indexes.documents().get(index + "/" + id))
                    .filter(each -> each.source().isPresent());
            docs.add("{\"_index\":\"" + index + "\",\"_id\":\"" + id + "\""
                    + stored.map(each -> ",\"_version\":" + each.version() + ",\"found\":true")
                            .orElse(",\"found\":false")
                    + "}");
        });
        return docs.stream().collect(joining(",", "{\"docs\":[", "]}"));
    }

    private void settled(Action action, Optional<JsonNode> before) {
        if (action.isDelete()) {
            action.id().ifPresent(ledger::settleDeletions);
            return;
        }
        JsonNode source = SimulatedIndexes.json(action.source().orElseThrow());
        String name = (source.has("doc") ? source.get("doc") : source).get("at").asText();
        before.map(each -> each.get("at").asText())
                .filter(other -> other.startsWith(name.substring(0, name.indexOf('#'))) && !other.equals(name))
                .ifPresent(other -> overwritten(action, name, other));
        ledger.settle(ledger.entry(name));
    }

    /** The same place in another log. */
    private void overwritten(Action action, String name, String other) {
        long present = indexes.documents().get(action.place()).source().stream()
                .filter(source -> source.get("at").asText().equals(name))
                .count();
        if (present > 0 && place(name).equals(place(other))) {
            ledger.violation(name + " has replaced " + other + " of another log");
        }
    }

    private static String place(String name) {
        return name.substring(0, name.indexOf('#'));
    }

    @Override
    public void close() {
        server.close();
    }
}
