package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Promises.Destination;
import io.tidegate.connect.check.oracle.Promises.Unavailable;
import io.tidegate.connect.check.oracle.Promises.ValueForm;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What Connect's own settings, and those that both sinks have, promise. */
final class ConnectPromises {
    private static final String JSON_CONVERTER = "JsonConverter";

    private final Map<String, String> settings;

    ConnectPromises(Map<String, String> settings) {
        this.settings = settings;
    }

    String get(String key, String standard) {
        String value = settings.getOrDefault(key, "");
        return value.isEmpty() ? standard : value;
    }

    ValueForm valueForm() {
        if (get("value.format", "connect").equals("avro")) {
            return ValueForm.AVRO;
        }
        if (get("value.envelope", "none").equals("debezium")) {
            return ValueForm.DEBEZIUM;
        }
        return isStruct() ? ValueForm.JSON_WITH_SCHEMA : ValueForm.JSON;
    }

    /** Whether Connect's own converter reads the JSON. */
    boolean isConverted() {
        return get("value.converter", "").endsWith(JSON_CONVERTER);
    }

    private boolean isStruct() {
        return get("value.converter", "").endsWith(JSON_CONVERTER)
                && get("value.converter.schemas.enable", "true").equals("true");
    }

    /** Frames are only read from bytes. */
    boolean isFramed() {
        return get("value.framing", "auto").equals("auto")
                && get("value.converter", "").endsWith("ByteArrayConverter");
    }

    /** The header with which the transform {@code drop} drops a record. */
    Optional<String> droppedHeader() {
        return has("drop") ? Optional.ofNullable(settings.get("predicates.dropped.name")) : Optional.empty();
    }

    boolean dropsNulls() {
        return has("dropnull");
    }

    private boolean has(String transform) {
        return Arrays.asList(get("transforms", "").split(",", -1)).contains(transform);
    }

    /** @param kind {@code table} or {@code index} */
    Destination destination(String template, String kind, boolean lowerCase) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String pair : get("topic." + kind + ".map", "").split(",", -1)) {
            int colon = pair.indexOf(':');
            if (colon > 0) {
                map.put(pair.substring(0, colon), pair.substring(colon + 1));
            }
        }
        String routed = has("route") ? template.replace("${topic}", get("transforms.route.replacement", "")) : template;
        String regex = get("topic." + kind + ".regex", "");
        return new Destination(routed, map, regex.isEmpty() ? Optional.empty() : Optional.of(regex), lowerCase);
    }

    boolean areTruncatesSkipped() {
        return get("debezium.truncates", "fail").equals("ignore");
    }

    Unavailable unavailable() {
        return switch (get("debezium.unavailable.values", "fail")) {
            case "keep" -> Unavailable.LEFT_OUT;
            case "write" -> Unavailable.STORED;
            default -> Unavailable.REFUSED;
        };
    }

    boolean isLettered() {
        return get("errors.tolerance", "none").equals("all")
                && !get("errors.deadletterqueue.topic.name", "").isEmpty();
    }
}
