package io.tidegate.connect.elasticsearch.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The indexes of an Elasticsearch in memory, as far as a bulk request can tell: op types, ids, versions and conflicts, and
 * a mapping in which the field {@code poison} is a date. {@link SimulatedIndexesIT} compares it with a real node. One
 * thread.
 */
final class SimulatedIndexes {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * A document, or what is left of a deleted one.
     *
     * @param source empty once it is deleted
     */
    record Stored(long version, Optional<JsonNode> source) {}

    /**
     * The answer to one action.
     *
     * @param error its type; empty for a success
     */
    record Answer(String action, int status, String error, String reason) {
        String json() {
            String failure = error.isEmpty()
                    ? ""
                    : ",\"error\":{\"type\":\"" + error + "\",\"reason\":\"" + reason.replace("\"", "\\\"") + "\"}";
            return "{\"" + action + "\":{\"status\":" + status + failure + "}}";
        }
    }

    /** One action of a bulk request, with the line that follows it. */
    record Action(String name, JsonNode meta, Optional<String> source) {
        String index() {
            return meta.path("_index").asText();
        }

        Optional<String> id() {
            return Optional.ofNullable(meta.get("_id")).map(JsonNode::asText);
        }

        String place() {
            return index() + id().map(each -> "/" + each).orElse("");
        }

        boolean isDelete() {
            return name.equals("delete");
        }
    }

    private final Map<String, Stored> documents = new TreeMap<>(); // by index and id
    private final BiConsumer<Action, Optional<JsonNode>> settled;
    private int automatic;

    /**
     * Empty indexes.
     *
     * @param settled is told each action after which the index has what it says, or something newer, with the document
     *     that was there before
     */
    SimulatedIndexes(BiConsumer<Action, Optional<JsonNode>> settled) {
        this.settled = settled;
    }

    /** By index and id; deleted ones too. */
    Map<String, Stored> documents() {
        return documents;
    }

    /** Somebody deletes these documents, and what is known of their versions. */
    void purge(String part) {
        documents.keySet().removeIf(place -> place.contains(part));
    }

    Answer apply(Action action) {
        String place = action.id().isPresent() ? action.place() : action.index() + "/#" + automatic++;
        Optional<Stored> present = Optional.ofNullable(documents.get(place));
        Optional<JsonNode> before = present.flatMap(Stored::source);
        Answer answer =
                switch (action.name()) {
                    case "delete" -> delete(action, place, present);
                    case "update" -> update(action, place, present);
                    default -> write(action, place, present);
                };
        boolean isConflict = answer.error().startsWith("version_conflict");
        if (answer.error().isEmpty() || isConflict) {
            settled.accept(action, before);
        }
        return answer;
    }

    private Answer write(Action action, String place, Optional<Stored> present) {
        Optional<Answer> malformed = parsed(action, action.source().orElseThrow());
        if (malformed.isPresent()) {
            return malformed.get();
        }
        boolean exists = present.flatMap(Stored::source).isPresent();
        if (action.name().equals("create") && exists) {
            return conflict(action, "[" + action.id().orElse("") + "]: version conflict, document already exists");
        }
        Optional<Answer> conflict = conflict(action, present);
        if (conflict.isPresent()) {
            return conflict.get();
        }
        documents.put(
                place,
                new Stored(
                        version(action, present),
                        Optional.of(json(action.source().get()))));
        return new Answer(action.name(), exists ? 200 : 201, "", "");
    }

    private Answer update(Action action, String place, Optional<Stored> present) {
        JsonNode update = json(action.source().orElseThrow());
        Optional<JsonNode> before = present.flatMap(Stored::source);
        if (before.isEmpty() && !update.path("doc_as_upsert").asBoolean()) {
            return new Answer("update", 404, "document_missing_exception", "document missing");
        }
        ObjectNode merged = before.isPresent() ? before.get().deepCopy() : MAPPER.createObjectNode();
        merged.setAll((ObjectNode) update.get("doc"));
        Optional<Answer> malformed = parsed(action, merged.toString());
        if (malformed.isPresent()) {
            return malformed.get();
        }
        documents.put(place, new Stored(version(action, present), Optional.of(merged)));
        return new Answer("update", before.isPresent() ? 200 : 201, "", "");
    }

    private Answer delete(Action action, String place, Optional<Stored> present) {
        Optional<Answer> conflict = conflict(action, present);
        if (conflict.isPresent()) {
            return conflict.get();
        }
        boolean exists = present.flatMap(Stored::source).isPresent();
        documents.put(place, new Stored(version(action, present), Optional.empty()));
        return new Answer("delete", exists ? 200 : 404, "", "");
    }

    /** What the mapping refuses. */
    private static Optional<Answer> parsed(Action action, String source) {
        JsonNode json;
        try {
            json = MAPPER.readTree(source);
        } catch (JsonProcessingException e) {
            return Optional.of(new Answer(action.name(), 400, "document_parsing_exception", "failed to parse"));
        }
        return json.has("poison")
                ? Optional.of(new Answer(
                        action.name(),
                        400,
                        "document_parsing_exception",
                        "failed to parse field [poison] of type [date]"))
                : Optional.empty();
    }

    private static Optional<Answer> conflict(Action action, Optional<Stored> present) {
        JsonNode version = action.meta().get("version");
        if (version == null || present.isEmpty()) {
            return Optional.empty();
        }
        long current = present.get().version();
        boolean isEqualAllowed = action.meta().path("version_type").asText().equals("external_gte");
        boolean isStale = isEqualAllowed ? current > version.asLong() : current >= version.asLong();
        return isStale
                ? Optional.of(conflict(
                        action,
                        "[" + action.id().orElse("") + "]: version conflict, current version [" + current
                                + "] is higher "
                                + (isEqualAllowed ? "than" : "or equal to") + " the one provided [" + version.asLong()
                                + "]"))
                : Optional.empty();
    }

    private static Answer conflict(Action action, String reason) {
        return new Answer(action.name(), 409, "version_conflict_engine_exception", reason);
    }

    private static long version(Action action, Optional<Stored> present) {
        JsonNode version = action.meta().get("version");
        return version == null ? present.map(Stored::version).orElse(0L) + 1 : version.asLong();
    }

    static JsonNode json(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
