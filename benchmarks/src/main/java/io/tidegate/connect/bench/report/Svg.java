package io.tidegate.connect.bench.report;

import java.util.Locale;

/** Writes SVG elements; numbers with one decimal, text escaped. One chart each. */
final class Svg {
    /** On average, of the page's font at its ordinary size. */
    private static final double CHARACTER_WIDTH = 6.9;

    private final StringBuilder body = new StringBuilder();
    private final double width;

    Svg(double width) {
        this.width = width;
    }

    Svg rect(double x, double y, double rectWidth, double height, String attributes) {
        return add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>",
                x, y, Math.max(0, rectWidth), Math.max(0, height), attributes);
    }

    Svg line(double x1, double y1, double x2, double y2, String attributes) {
        return add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, attributes);
    }

    Svg circle(double x, double y, double radius, String attributes) {
        return add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", x, y, radius, attributes);
    }

    Svg path(String data, String attributes) {
        return add("<path d=\"%s\" fill=\"none\" %s/>", data, attributes);
    }

    Svg text(double x, double y, String text, String attributes) {
        return add("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>", x, y, attributes, Html.escaped(text));
    }

    /** Ordinary text up to the right edge; of a longer one both ends stay, for names often differ in their last part. */
    Svg name(double x, double y, String name) {
        int most = (int) ((width - x) / CHARACTER_WIDTH);
        int head = (most - 1) / 2;
        String shown = name.length() <= most
                ? name
                : name.substring(0, head) + "…" + name.substring(name.length() - (most - 1 - head));
        return text(x, y, shown, "");
    }

    private Svg add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    /** The whole drawing; the title is what a screen reader says of it. */
    String drawn(double height, String title) {
        return String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\" xmlns=\"http://www.w3.org/2000/svg\">%n%s</svg>%n",
                width,
                height,
                Html.escaped(title),
                body);
    }
}
