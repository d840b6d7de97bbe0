package io.tidegate.connect.common.settings;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The topics that a sink's records will name, as far as its configuration tells before the first record has come. */
public final class KnownTopics {
    /** Transforms of Kafka that leave a record's topic alone; any other may route it elsewhere. */
    private static final Set<String> KEEPING_TOPICS = Set.of(
            "Cast",
            "DropHeaders",
            "ExtractField",
            "Filter",
            "Flatten",
            "HeaderFrom",
            "HoistField",
            "InsertField",
            "InsertHeader",
            "MaskField",
            "ReplaceField",
            "SetSchemaMetadata",
            "TimestampConverter",
            "ValueToKey");

    private static final String KAFKAS_TRANSFORMS = "org.apache.kafka.connect.transforms.";
    private static final String DEBEZIUMS_TRANSFORMS = "io.debezium.transforms.";

    /** Debezium's transform of change events. Only this setting of it changes topics. */
    private static final String UNWRAPPING = "ExtractNewRecordState";

    private static final String UNWRAPPING_ROUTES = "route.by.field";

    private KnownTopics() {}

    /**
     * Those of {@code topics}; none with {@code topics.regex}, where a transform may rename them, or of dead letters,
     * whose records name others.
     */
    public static List<String> of(Map<String, String> props) {
        if (RedriveSettings.isOn(props)) {
            return List.of();
        }
        return areKept(props) ? listed(props) : List.of();
    }

    /** Those of {@code topics}, as Kafka names them. */
    public static List<String> listed(Map<String, String> props) {
        return TransformTypes.items(props, "topics").distinct().toList();
    }

    /** Whether no transform changes the topic of a record, as far as is known. */
    public static boolean areKept(Map<String, String> props) {
        return TransformTypes.names(props).allMatch(name -> keepsTopics(props, name));
    }

    private static boolean keepsTopics(Map<String, String> props, String name) {
        String className = TransformTypes.typeOf(props, name);
        if (className.equals(UNWRAPPING) || className.equals(DEBEZIUMS_TRANSFORMS + UNWRAPPING)) {
            return !TransformTypes.isSet(props, name, UNWRAPPING_ROUTES);
        }
        return className.equals(DEBEZIUMS_TRANSFORMS + "HeaderToValue") || isKeepingOfKafka(className);
    }

    private static boolean isKeepingOfKafka(String className) {
        String name =
                className.startsWith(KAFKAS_TRANSFORMS) ? className.substring(KAFKAS_TRANSFORMS.length()) : className;
        int nested = name.indexOf('$'); // InsertField$Value
        return KEEPING_TOPICS.contains(nested < 0 ? name : name.substring(0, nested));
    }
}
