package io.tidegate.connect.tools.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What an ingest pipeline may do, as far as its definition tells. */
final class IngestPipeline {
    /** Processors that may drop a document, send it elsewhere, or write fields that the document names. */
    private static final Set<String> MOVING =
            Set.of("date_index_name", "dissect", "drop", "json", "kv", "pipeline", "reroute", "script");

    /** Settings of processors that name no field which is written, or whose own processors are looked at. */
    private static final Set<String> READING =
            Set.of("copy_from", "description", "if", "message", "on_failure", "processor", "tag", "value");

    /** A field of the document's place, or one that a template names. */
    private static final Pattern PLACE = Pattern.compile("(?<!\\w)_(index|id)(?!\\w)|\\{\\{");

    private IngestPipeline() {}

    /**
     * Whether it may drop a document, or store it in another index or under another id.
     *
     * @param definition its lists of processors
     */
    static boolean mayMove(JsonNode definition) {
        return anyMoves(definition.path("processors")) || anyMoves(definition.path("on_failure"));
    }

    private static boolean anyMoves(JsonNode processors) {
        for (JsonNode processor : processors) {
            if (moves(processor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean moves(JsonNode processor) {
        for (Map.Entry<String, JsonNode> each : processor.properties()) {
            JsonNode settings = each.getValue();
            if (MOVING.contains(each.getKey())
                    || writesPlace(settings)
                    || moves(settings.path("processor")) // of foreach
                    || anyMoves(settings.path("on_failure"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean writesPlace(JsonNode settings) {
        for (Map.Entry<String, JsonNode> setting : settings.properties()) {
            if (!READING.contains(setting.getKey()) && namesPlace(setting.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean namesPlace(JsonNode value) {
        if (value.isTextual()) {
            return PLACE.matcher(value.asText()).find();
        }
        for (JsonNode each : value) {
            if (namesPlace(each)) {
                return true;
            }
        }
        return false;
    }
}
