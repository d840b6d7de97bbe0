package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Promises.Destination;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the table or index of a record. */
record Placement(Destination rule) {
    private static final String HEADER = "${header:dest}";

    /** Empty if the record gives no name. */
    Optional<String> of(LoggedRecord record) {
        String name = rule.map().get(record.topic());
        if (name == null) {
            name = rule.template().replace("${topic}", record.topic());
            if (rule.regex().isPresent()) {
                Matcher groups = Pattern.compile(rule.regex().get()).matcher(record.topic());
                if (!groups.matches()) {
                    return Optional.empty();
                }
                name = name.replace("${1}", groups.group(1));
            }
        }
        if (name.contains(HEADER)) {
            String header = record.headers().get("dest");
            if (header == null) {
                return Optional.empty();
            }
            name = name.replace(HEADER, header);
        }
        return Optional.of(rule.lowerCase() ? name.toLowerCase(Locale.ROOT) : name);
    }
}
