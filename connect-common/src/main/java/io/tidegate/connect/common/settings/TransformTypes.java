package io.tidegate.connect.common.settings;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The transforms of a connector by their classes. Connect also accepts a class's name without its package. */
public final class TransformTypes {
    private static final String TRANSFORMS = "transforms";

    private TransformTypes() {}

    /** The name of the transform that puts a record's time into the name of its topic, if there is one. */
    public static Optional<String> timestampRouter(Map<String, String> props) {
        return first(props, "TimestampRouter");
    }

    /**
     * The name of the first transform of a class.
     *
     * @param simpleName of the class, without its package
     */
    public static Optional<String> first(Map<String, String> props, String simpleName) {
        return names(props)
                .filter(name -> {
                    String type = typeOf(props, name);
                    return type.substring(type.lastIndexOf('.') + 1).equals(simpleName);
                })
                .findFirst();
    }

    /** The names of all transforms. */
    static Stream<String> names(Map<String, String> props) {
        return items(props, TRANSFORMS);
    }

    /** The class of a transform, as it is configured. */
    static String typeOf(Map<String, String> props, String name) {
        return String.valueOf(props.get(TRANSFORMS + '.' + name + ".type")).strip();
    }

    /** Whether a transform has a setting. */
    static boolean isSet(Map<String, String> props, String name, String setting) {
        String value = props.get(TRANSFORMS + '.' + name + '.' + setting); // Connect lets a setting be null
        return value != null && !value.isBlank();
    }

    /** The items of a list in a connector's settings. */
    static Stream<String> items(Map<String, String> props, String key) {
        String list = props.get(key);
        return list == null
                ? Stream.of()
                : Arrays.stream(list.split(",")).map(String::strip).filter(item -> !item.isEmpty());
    }
}
