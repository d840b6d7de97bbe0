package io.tidegate.connect.bench.report;

/** The kinds of text in charts. */
enum TextStyle {
    PLAIN(12, Palette.INK, false, false),
    TITLE(15, Palette.INK, true, false),
    TICK(11, Palette.FAINT_INK, false, false),
    UNIT(11, Palette.FAINT_INK, false, true),
    VALUE(12, Palette.INK, true, false),
    /** On something dark. */
    LIGHT(11, "#ffffff", false, false),
    /** On something light. */
    DARK(11, "#000000", false, false);

    private final int size;
    private final String colour;
    private final boolean bold;
    private final boolean italic;

    TextStyle(int size, String colour, boolean bold, boolean italic) {
        this.size = size;
        this.colour = colour;
        this.bold = bold;
        this.italic = italic;
    }

    int size() {
        return size;
    }

    String colour() {
        return colour;
    }

    boolean isBold() {
        return bold;
    }

    boolean isItalic() {
        return italic;
    }
}
