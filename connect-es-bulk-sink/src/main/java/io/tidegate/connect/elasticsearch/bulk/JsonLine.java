package io.tidegate.connect.elasticsearch.bulk;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Makes sure that a value is one line of a bulk request: one JSON object by RFC 8259. Its line breaks can only be white
 * space between tokens, and become spaces. Elasticsearch rejects a whole request for some faults, so none of them may
 * reach it. On the way it finds a few names at the top, where a name with escapes counts as what it stands for. One lane's
 * thread uses it.
 */
final class JsonLine {
    /** The depth at which Elasticsearch's own parser stops with an error. */
    static final int MAX_DEPTH = 1_000;

    private static final int NOWHERE = -1;

    private final List<String> reserved;
    private final List<byte[]> reservedBytes;
    private final byte[] sought;
    private final JsonCursor cursor = new JsonCursor();
    private Optional<String> found = Optional.empty();
    private int opened;
    private int afterSought = NOWHERE;

    /**
     * Looks for these names.
     *
     * @param reserved names that a document must not have, alone or before a dot
     * @param sought the name whose place is wanted; empty for none
     */
    JsonLine(List<String> reserved, String sought) {
        this.reserved = List.copyOf(reserved);
        this.reservedBytes = reserved.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toList();
        this.sought = requireNonNull(sought, "sought").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Checks the value in the buffer and replaces its line breaks.
     *
     * @throws RefusedException when it is not one JSON object; the content of the buffer is then undefined
     */
    void makeSafe(byte[] buffer, int from, int to) {
        if (!cursor.openChecked(buffer, from, to)) {
            throw new RefusedException("the value is not a JSON object: it does not start with `{`");
        }
        opened = cursor.position();
        found = Optional.empty();
        afterSought = NOWHERE;
        boolean looks = !reserved.isEmpty() || sought.length > 0;
        while (cursor.next()) {
            cursor.skipChecked(MAX_DEPTH);
            if (looks) {
                see();
            }
        }
        cursor.end();
        if (cursor.hasLineBreak()) {
            putSpaces(buffer, from, to);
        }
    }

    /** The index just behind the opening brace of the object. */
    int opened() {
        return opened;
    }

    /** The first reserved name of the object. */
    Optional<String> reserved() {
        return found;
    }

    boolean hasSought() {
        return afterSought != NOWHERE;
    }

    /** The index just behind the closing quote of the sought name. */
    int afterSought() {
        return afterSought;
    }

    private void see() {
        if (cursor.isNameEscaped()) {
            byte[] name = cursor.nameText().getBytes(StandardCharsets.UTF_8);
            compare(name, 0, name.length);
        } else {
            compare(cursor.text(), cursor.nameFrom(), cursor.nameTo());
        }
    }

    private void compare(byte[] buffer, int from, int to) {
        for (int i = 0; i < reserved.size() && found.isEmpty(); i++) {
            int end = from + reservedBytes.get(i).length;
            if (startsWith(buffer, from, to, reservedBytes.get(i)) && (end == to || buffer[end] == '.')) {
                found = Optional.of(reserved.get(i));
            }
        }
        if (sought.length > 0 && to - from == sought.length && startsWith(buffer, from, to, sought)) {
            afterSought = cursor.nameTo() + 1;
        }
    }

    private static boolean startsWith(byte[] buffer, int from, int to, byte[] name) {
        int end = from + name.length;
        return end <= to && Arrays.equals(buffer, from, end, name, 0, name.length);
    }

    private static void putSpaces(byte[] buffer, int from, int to) {
        for (int at = from; at < to; at++) {
            if (buffer[at] == '\n' || buffer[at] == '\r') {
                buffer[at] = ' ';
            }
        }
    }
}
