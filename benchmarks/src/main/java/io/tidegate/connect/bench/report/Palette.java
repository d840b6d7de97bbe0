package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Canvas.Stroke;
import java.util.List;

/** Okabe and Ito's colours, which people with any colour vision can tell apart; on paper shapes and dashes do. */
@SuppressWarnings("ImmutableEnumChecker") // lists that nobody can change
enum Palette {
    BLUE("#0072B2", "circle"),
    ORANGE("#E69F00", "square", 6, 3),
    GREEN("#009E73", "circle", 2, 3),
    VERMILLION("#D55E00", "square", 8, 3, 2, 3),
    PURPLE("#CC79A7", "circle", 4, 2),
    SKY("#56B4E9", "square", 14, 3);

    static final String FLOOR = "#999999";
    static final String YELLOW = "#F0E442";
    static final String INK = "#222222";
    static final String FAINT_INK = "#555555";
    static final String GRID = "#dddddd";

    private final String colour;
    private final String marker;
    private final List<Integer> dashes;

    Palette(String colour, String marker, Integer... dashes) {
        this.colour = colour;
        this.marker = marker;
        this.dashes = List.of(dashes);
    }

    static Palette of(int index) {
        return values()[index % values().length];
    }

    String colour() {
        return colour;
    }

    Stroke stroke() {
        return new Stroke(colour, 2, dashes);
    }

    void mark(Canvas canvas, double x, double y) {
        if (marker.equals("circle")) {
            canvas.circle(x, y, 3.5, colour);
        } else {
            canvas.rect(x - 3, y - 3, 6, 6, colour);
        }
    }
}
