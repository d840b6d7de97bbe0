package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * An error in the server's own words, without what it quotes from the document.
 *
 * @param type the server's code, or empty when it gave none
 * @param reason the server's reason, or empty
 * @param cause the code of its cause, or empty
 */
public record ServerError(String type, String reason, String cause) {
    private static final int MAX_REASON = 1_000;

    /** The words that Elasticsearch puts before a quoted part of the document. */
    private static final List<String> QUOTES = List.of(
            "Preview of field's value:",
            "Preview of invalid vector:",
            "[Source:",
            "For input string:",
            "The prefix of the first immense term is:");

    /** An error without a code or reason, as from a proxy. */
    public static final ServerError NONE = new ServerError("", "", "");

    public ServerError {
        requireNonNull(type, "type");
        reason = withoutContent(requireNonNull(reason, "reason"));
        requireNonNull(cause, "cause");
    }

    /** Reads the error in the response to a whole request, or the message of a cloud's gateway, which has no code. */
    public static ServerError read(InputStream content) {
        Map<String, String> values = FlatJson.read(content);
        String message = values.getOrDefault("/message", values.getOrDefault("/Message", ""));
        return new ServerError(
                values.getOrDefault("/error/type", ""),
                values.getOrDefault("/error/reason", values.getOrDefault("/error", message)),
                values.getOrDefault("/error/caused_by/type", ""));
    }

    /** Reads the error at the parser's position: an object, or a plain string. Leaves the parser at its end. */
    public static ServerError read(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            String text = parser.getValueAsString("");
            parser.skipChildren();
            return new ServerError("", text, "");
        }
        String type = "";
        String reason = "";
        String cause = "";
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            switch (field) {
                case "type" -> type = parser.getValueAsString("");
                case "reason" -> reason = parser.getValueAsString("");
                case "caused_by" ->
                    cause = value == JsonToken.START_OBJECT ? read(parser).type() : "";
                default -> parser.skipChildren();
            }
        }
        return new ServerError(type, reason, cause);
    }

    private static String withoutContent(String reason) {
        String kept = reason;
        for (String quote : QUOTES) {
            int at = kept.indexOf(quote);
            if (at >= 0) {
                kept = kept.substring(0, at) + "(the server quotes the document here)";
            }
        }
        return kept.length() > MAX_REASON ? kept.substring(0, MAX_REASON) + "..." : kept;
    }

    /** For messages: code, reason, cause. */
    @Override
    public String toString() {
        if (type.isEmpty() && reason.isEmpty()) {
            return "no reason given";
        }
        String text = type.isEmpty() ? reason : type + ": " + reason;
        return cause.isEmpty() ? text : text + " (caused by " + cause + ")";
    }
}
