package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.types.Password;

/**
 * Headers that every request has besides the sink's own. The text form shows their names only.
 *
 * @param text {@code Name: value}, several separated by {@code |} or line ends
 */
public record ExtraHeaders(Password text) {
    private static final Pattern SEPARATOR = Pattern.compile("[|\\r\\n]+");

    /** A token (RFC 9110, 5.6.2). */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Printable characters (RFC 9110, 5.5), without obsolete text. */
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]*");

    /** The sink and its HTTP client set these. */
    private static final Set<String> OWN = Set.of(
            "accept",
            "accept-encoding",
            "authorization",
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "proxy-authorization",
            "transfer-encoding",
            "upgrade");

    public ExtraHeaders {
        requireNonNull(text, "text");
    }

    /**
     * The headers by name.
     *
     * @throws IllegalArgumentException with the reason, which shows no value, if the text has another form
     */
    public Map<String, String> values() {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : SEPARATOR.split(text.value(), -1)) {
            if (!header.isBlank()) {
                int colon = header.indexOf(':');
                String name = header.substring(0, Math.max(0, colon)).trim();
                if (!NAME.matcher(name).matches()) {
                    throw new IllegalArgumentException("each header must be Name: value, separated by | or a new line");
                }
                if (OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException("the sink itself sets " + name);
                }
                String value = header.substring(colon + 1).trim();
                if (!VALUE.matcher(value).matches()) {
                    throw new IllegalArgumentException("the value of " + name + " has characters beyond ASCII");
                }
                headers.put(name, value);
            }
        }
        return headers;
    }

    @Override
    public String toString() {
        return "headers " + values().keySet();
    }
}
