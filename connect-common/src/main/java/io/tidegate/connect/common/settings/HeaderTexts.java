package io.tidegate.connect.common.settings;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the texts of headers arrive as they were sent. Connect's default converter reads a number from the beginning of a
 * text and leaves the rest out, so different ids would become equal. Source: {@code SimpleHeaderConverter} and {@code
 * Values.parseString} of Kafka.
 */
public final class HeaderTexts {
    private static final String CONVERTER = "header.converter";
    private static final String TEMPLATE = "${header:";
    private static final String HEADERS = "headers";
    private static final String GUESSING = "SimpleHeaderConverter";
    private static final String KEEPING = "=org.apache.kafka.connect.storage.StringConverter for this connector";

    private HeaderTexts() {}

    /**
     * The first setting with a template of a header, if the connector does not name a converter that keeps texts. What the
     * worker names is not known.
     *
     * @param settings the names of the settings that may have templates
     */
    public static Optional<Problem> problem(Map<String, String> props, Collection<String> settings) {
        return settings.stream()
                .filter(key -> String.valueOf(props.get(key)).contains(TEMPLATE) && isGuessing(props))
                .sorted()
                .findFirst()
                .map(key -> new Problem(
                        key,
                        "takes a header's text, but Connect's default converter reads the number 42 from the text 42:7: set "
                                + CONVERTER + KEEPING));
    }

    /**
     * A sentence about a setting that writes all headers, under the same condition.
     *
     * @param setting a list of what is written of a record, of which {@code headers} is one
     */
    public static Optional<String> warning(Map<String, String> props, String setting) {
        boolean hasHeaders = Stream.of(props.getOrDefault(setting, "").split(","))
                .map(item -> item.split(":", 2)[0].trim())
                .anyMatch(HEADERS::equalsIgnoreCase);
        return Optional.of(setting
                        + " has the headers, and Connect's default converter reads the number 7 from the text 007: set "
                        + CONVERTER + KEEPING)
                .filter(warning -> hasHeaders && isGuessing(props));
    }

    private static boolean isGuessing(Map<String, String> props) {
        String converter = props.getOrDefault(CONVERTER, "");
        return converter.isBlank() || converter.endsWith(GUESSING);
    }
}
