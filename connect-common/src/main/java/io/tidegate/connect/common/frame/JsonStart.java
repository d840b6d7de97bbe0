package io.tidegate.connect.common.frame;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;

/**
 * Tells JSON from Avro and Protobuf by its first characters. It lets malformed JSON through, which the sinks refuse with
 * a better reason. Pure.
 */
final class JsonStart {
    private static final String FIRST = "{[\"tfn-0123456789 \t\r\n";

    private JsonStart() {}

    /**
     * Whether these bytes are JSON, or start like it. Avro's first byte may be the length of a text and look like white
     * space, a quote or a digit. So a scalar must be JSON to its end.
     */
    static boolean isIn(ByteSlice payload) {
        byte[] bytes = payload.array();
        int to = payload.to();
        int at = afterWhiteSpace(bytes, payload.from(), to);
        if (at == to) {
            return false;
        }
        int second = afterWhiteSpace(bytes, at + 1, to);
        boolean endsEarly = second == to;
        return switch (bytes[at]) {
            case '{' -> endsEarly || bytes[second] == '"' || bytes[second] == '}';
            case '[' -> endsEarly || bytes[second] == ']' || canStartAValue(bytes[second]);
            case '"' -> !endsEarly && lastOf(payload) == '"';
            default -> JsonText.isJson(payload);
        };
    }

    /** Whether a JSON value may start with this byte. */
    static boolean canStartAValue(byte first) {
        return FIRST.indexOf(first) >= 0; // no character is negative
    }

    private static int afterWhiteSpace(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isWhiteSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isWhiteSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    private static byte lastOf(ByteSlice payload) {
        int last = payload.to() - 1;
        while (isWhiteSpace(payload.array()[last])) {
            last--;
        }
        return payload.array()[last];
    }
}
