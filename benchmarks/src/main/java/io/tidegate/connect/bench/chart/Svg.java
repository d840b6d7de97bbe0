package io.tidegate.connect.bench.chart;

import java.util.Locale;

/**
 * A drawing as SVG, for pages and pictures. Lengths are pixels from the top left corner. The colours are those of Okabe
 * and Ito, which colour-blind people can distinguish. A browser shows a tip under the mouse.
 */
public final class Svg {
    static final int WIDTH = 420;

    static final String BLUE = "#0072B2";
    static final String ORANGE = "#E69F00";
    static final String YELLOW = "#F0E442";
    static final String GREY = "#999999";
    static final String INK = "#222222";

    static final String GRID = "stroke='#dddddd'";
    static final String PLAIN = "font-size='12' fill='#222222'";
    static final String BOLD = PLAIN + " font-weight='bold'";
    static final String SMALL = "font-size='11' fill='#555555'";
    static final String MIDDLE = " text-anchor='middle'";
    static final String END = " text-anchor='end'";

    private static final double CHARACTER_WIDTH = 6.9;
    private static final int MARGIN = 12;
    private static final int TITLE_ROW = 30;
    private static final int MAX_TITLE = 50;

    private final double height;
    private final StringBuilder body = new StringBuilder();

    Svg(double height) {
        this.height = height;
    }

    void rect(double x, double y, double width, double rectHeight, String look) {
        if (width > 0 && rectHeight > 0) {
            add("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' %s/>", x, y, width, rectHeight, look);
        }
    }

    void line(double x1, double y1, double x2, double y2, String look) {
        add("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' %s/>", x1, y1, x2, y2, look);
    }

    void text(double x, double y, String text, String look) {
        add("<text x='%.1f' y='%.1f' %s>%s</text>", x, y, look, Html.escaped(text));
    }

    /** Draws a text, shortened so that it ends before the right edge. */
    void name(double x, double y, String name) {
        text(x, y, shortened(name, (int) ((WIDTH - x) / CHARACTER_WIDTH)), PLAIN);
    }

    /** Starts a group of shapes that share a tip. */
    void begin(String tip) {
        add("<g><title>%s</title>", Html.escaped(tip));
    }

    void end() {
        add("</g>");
    }

    void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** The approximate width of a text of normal size. The font of the page is not known here. */
    static double width(String text) {
        return text.length() * CHARACTER_WIDTH;
    }

    /** Removes the middle of a long name, because names often differ only at their end. */
    private static String shortened(String name, int most) {
        if (name.length() <= most) {
            return name;
        }
        int head = (most - 1) / 2;
        return name.substring(0, head) + "…" + name.substring(name.length() - (most - 1 - head));
    }

    /** The drawing as an element of a page. */
    String element(String title) {
        return String.format(
                Locale.ROOT,
                "<svg viewBox='0 0 %d %.0f' role='img' aria-label='%s' xmlns='http://www.w3.org/2000/svg'>%n%s</svg>%n",
                WIDTH,
                height,
                Html.escaped(title),
                body);
    }

    /** The drawing as a picture with a white background, a margin and a title. */
    String picture(String title) {
        Svg picture = new Svg(height + TITLE_ROW + 2 * MARGIN);
        double width = WIDTH + 2.0 * MARGIN;
        picture.add(
                "<svg width='%.0f' height='%.0f' font-family='SansSerif' xmlns='http://www.w3.org/2000/svg'>",
                width, picture.height);
        picture.rect(0, 0, width, picture.height, "fill='white'");
        picture.text(MARGIN, MARGIN + 15, shortened(title, MAX_TITLE), BOLD.replace("12", "15"));
        picture.add("<g transform='translate(%d %d)'>%n%s</g></svg>", MARGIN, MARGIN + TITLE_ROW, body);
        return picture.body.toString();
    }
}
