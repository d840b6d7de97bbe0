package io.tidegate.connect.bench.report;

/** Okabe and Ito's colours, which people with any colour vision can tell apart; on paper shapes and dashes do. */
enum Palette {
    BLUE("#0072B2", "", "circle"),
    ORANGE("#E69F00", "6 3", "square"),
    GREEN("#009E73", "2 3", "circle"),
    VERMILLION("#D55E00", "8 3 2 3", "square"),
    PURPLE("#CC79A7", "4 2", "circle"),
    SKY("#56B4E9", "1 2", "square");

    static final String FLOOR = "#999999";
    static final String INK = "#222222";
    static final String GRID = "#dddddd";

    private final String colour;
    private final String dashes;
    private final String marker;

    Palette(String colour, String dashes, String marker) {
        this.colour = colour;
        this.dashes = dashes;
        this.marker = marker;
    }

    static Palette of(int index) {
        return values()[index % values().length];
    }

    String colour() {
        return colour;
    }

    String stroke() {
        return "stroke=\"" + colour + "\" stroke-width=\"2\""
                + (dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
    }

    void mark(Svg svg, double x, double y) {
        if (marker.equals("circle")) {
            svg.circle(x, y, 3.5, "fill=\"" + colour + "\"");
        } else {
            svg.rect(x - 3, y - 3, 6, 6, "fill=\"" + colour + "\"");
        }
    }
}
