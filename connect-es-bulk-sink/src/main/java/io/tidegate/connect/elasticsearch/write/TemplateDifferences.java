package io.tidegate.connect.elasticsearch.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In what an index template on the server differs from the file that would have created it: its patterns, and the settings
 * and mappings of the file that it lacks. The server writes these in another form. What the file does not say is not
 * compared. Any thread.
 */
final class TemplateDifferences {
    private static final String PATTERNS = "index_patterns";
    private static final String SETTINGS = "template.settings.";
    private static final String MAPPINGS = "template.mappings.";

    /** Where the answer to a question for one template has it. */
    private static final String STORED = "index_templates.0.index_template.";

    private TemplateDifferences() {}

    /**
     * Compares them.
     *
     * @param file its values by JSON pointer
     * @param answer the same of the server's answer
     * @return the places in the file, with dots
     */
    static List<String> of(Map<String, String> file, Map<String, String> answer) {
        Map<String, String> wanted = values(file, "");
        Map<String, String> stored = values(answer, STORED);
        List<String> places = new ArrayList<>();
        if (!patterns(wanted).equals(patterns(stored))) {
            places.add(PATTERNS);
        }
        wanted.forEach((place, value) -> {
            boolean isCompared = place.startsWith(SETTINGS) || place.startsWith(MAPPINGS);
            if (isCompared && !value.equals(stored.get(place))) {
                places.add(place);
            }
        });
        return places;
    }

    private static Set<String> patterns(Map<String, String> values) {
        Set<String> patterns = new HashSet<>();
        values.forEach((place, value) -> {
            if (place.startsWith(PATTERNS)) {
                patterns.add(value);
            }
        });
        return patterns;
    }

    private static Map<String, String> values(Map<String, String> byPointer, String start) {
        Map<String, String> values = new HashMap<>();
        byPointer.forEach((pointer, value) -> {
            String place = pointer.substring(1).replace('/', '.');
            if (place.startsWith(start) && !value.equals("{}") && !value.equals("null")) {
                values.put(inOneForm(place.substring(start.length())), value);
            }
        });
        return values;
    }

    /** The server puts settings into {@code index}, and neither lists of one value nor the type of a mapping matter. */
    private static String inOneForm(String place) {
        String one = place.endsWith(".0") ? place.substring(0, place.length() - 2) : place;
        if (one.startsWith(SETTINGS) && !one.startsWith(SETTINGS + "index.")) {
            return SETTINGS + "index." + one.substring(SETTINGS.length());
        }
        return one.startsWith(MAPPINGS + "_doc.") ? MAPPINGS + one.substring(MAPPINGS.length() + 5) : one;
    }
}
