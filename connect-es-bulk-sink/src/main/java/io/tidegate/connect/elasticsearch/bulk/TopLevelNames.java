package io.tidegate.connect.elasticsearch.bulk;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a few names at the top of a document while it is checked. A name with escapes counts as what it stands for, as
 * on the server. One lane's thread uses it.
 */
final class TopLevelNames {
    private static final int NOWHERE = -1;
    private static final int HEX = 16;
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    private final List<String> reserved;
    private final byte[][] reservedBytes;
    private final byte[] sought;
    private Optional<String> found = Optional.empty();
    private int soughtAt = NOWHERE;

    /**
     * Looks for these names.
     *
     * @param reserved names that a document must not have, alone or before a dot
     * @param sought the name whose place is wanted; empty for none
     */
    TopLevelNames(List<String> reserved, String sought) {
        this.reserved = List.copyOf(reserved);
        this.reservedBytes = reserved.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.sought = requireNonNull(sought, "sought").getBytes(StandardCharsets.UTF_8);
    }

    void clear() {
        found = Optional.empty();
        soughtAt = NOWHERE;
    }

    /** The first reserved name of the document. */
    Optional<String> reserved() {
        return found;
    }

    boolean hasSought() {
        return soughtAt != NOWHERE;
    }

    /** The index just behind the closing quote of the sought name. */
    int afterSought() {
        return soughtAt;
    }

    /** Looks at a name of the document: the bytes between its quotes. */
    void see(byte[] buffer, int from, int to) {
        if (reservedBytes.length == 0 && sought.length == 0) {
            return;
        }
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\\') {
                byte[] name = unescaped(new String(buffer, from, to - from, StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8);
                compare(name, 0, name.length, to);
                return;
            }
        }
        compare(buffer, from, to, to);
    }

    private void compare(byte[] buffer, int from, int to, int closingQuote) {
        for (int i = 0; i < reservedBytes.length && found.isEmpty(); i++) {
            int end = from + reservedBytes[i].length;
            if (startsWith(buffer, from, to, reservedBytes[i]) && (end == to || buffer[end] == '.')) {
                found = Optional.of(reserved.get(i));
            }
        }
        if (sought.length > 0 && to - from == sought.length && startsWith(buffer, from, to, sought)) {
            soughtAt = closingQuote + 1;
        }
    }

    private static boolean startsWith(byte[] buffer, int from, int to, byte[] name) {
        int end = from + name.length;
        return end <= to && Arrays.equals(buffer, from, end, name, 0, name.length);
    }

    private static String unescaped(String name) {
        return ESCAPE.matcher(name)
                .replaceAll(escape -> Matcher.quoteReplacement(
                        escape.group(1) == null
                                ? escaped(escape.group(2))
                                : Character.toString((char) Integer.parseInt(escape.group(1), HEX))));
    }

    private static String escaped(String letter) {
        return switch (letter) {
            case "b" -> "\b";
            case "f" -> "\f";
            case "n" -> "\n";
            case "r" -> "\r";
            case "t" -> "\t";
            default -> letter;
        };
    }
}
