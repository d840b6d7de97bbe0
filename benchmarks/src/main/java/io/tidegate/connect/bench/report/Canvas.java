package io.tidegate.connect.bench.report;

import java.util.List;

/** What a chart draws on: the page or a picture. Lengths are in the page's pixels, from the top left corner. */
interface Canvas {
    /** On average, of the page's font at its ordinary size. */
    double CHARACTER_WIDTH = 6.9;

    /** Where a text stands: its begin, middle or end is at the given place. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** How a line looks. {@code dashes} alternates drawn and left out; nothing for a whole line. */
    record Stroke(String colour, double width, List<Integer> dashes) {
        static Stroke thin(String colour) {
            return new Stroke(colour, 1, List.of());
        }
    }

    /** A corner of a path. */
    record Corner(double x, double y) {}

    double width();

    /** A filled rectangle; one without an extent is not drawn. */
    void rect(double x, double y, double rectWidth, double height, String colour);

    void line(double x1, double y1, double x2, double y2, Stroke stroke);

    void circle(double x, double y, double radius, String colour);

    void path(List<Corner> corners, Stroke stroke);

    void text(double x, double y, String text, TextStyle style, Anchor anchor);

    /** Ordinary text up to the right edge; of a longer one both ends stay, for names often differ in their last part. */
    default void name(double x, double y, String name) {
        text(x, y, shortened(name, (int) ((width() - x) / CHARACTER_WIDTH)), TextStyle.PLAIN, Anchor.START);
    }

    /** At most so many characters, both ends of it. */
    static String shortened(String name, int most) {
        if (name.length() <= most) {
            return name;
        }
        int head = (most - 1) / 2;
        return name.substring(0, head) + "…" + name.substring(name.length() - (most - 1 - head));
    }
}
