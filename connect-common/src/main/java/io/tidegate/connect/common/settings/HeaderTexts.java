package io.tidegate.connect.common.settings;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the texts of headers arrive as they were sent. Connect's default converter reads a number from the beginning of a
 * text and leaves the rest out, so different ids would become equal. Source: {@code SimpleHeaderConverter} and {@code
 * Values.parseString} of Kafka.
 */
public final class HeaderTexts {
    private static final String CONVERTER = "header.converter";
    private static final String TEMPLATE = "${header:";
    private static final String GUESSING = "SimpleHeaderConverter";

    private HeaderTexts() {}

    /**
     * The first setting with a template of a header, if the connector does not name a converter that keeps texts. What the
     * worker names is not known.
     *
     * @param settings the names of the settings that may have templates
     */
    public static Optional<Problem> problem(Map<String, String> props, Collection<String> settings) {
        String converter = props.getOrDefault(CONVERTER, GUESSING);
        return settings.stream()
                .filter(key -> String.valueOf(props.get(key)).contains(TEMPLATE))
                .filter(key -> converter.isBlank() || converter.endsWith(GUESSING))
                .sorted()
                .findFirst()
                .map(key -> new Problem(
                        key,
                        "takes a header's text, but Connect's default converter reads the number 42 from the text 42:7: set "
                                + CONVERTER + "=org.apache.kafka.connect.storage.StringConverter for this connector"));
    }
}
