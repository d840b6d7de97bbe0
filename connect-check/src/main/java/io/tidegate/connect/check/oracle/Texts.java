package io.tidegate.connect.check.oracle;

import java.util.stream.Collectors;

/** Texts for people. */
final class Texts {
    private static final int LONGEST = 160;

    private Texts() {}

    /** The text without its middle, if it is long. */
    static String shortened(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int half = LONGEST / 2;
        return text.substring(0, half) + "...(" + text.length() + " characters)..."
                + text.substring(text.length() - half);
    }

    /** The messages of a stack trace, on one line. */
    static String withoutFrames(String trace) {
        return trace.lines()
                .filter(line -> !line.startsWith("\t"))
                .filter(line -> !line.isBlank())
                .collect(Collectors.joining(" "));
    }
}
