package io.tidegate.connect.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a chart as an SVG element; numbers with one decimal, text escaped. */
final class SvgCanvas implements Canvas {
    private final StringBuilder body = new StringBuilder();

    private SvgCanvas() {}

    /**
     * The whole drawing.
     *
     * @param title what a screen reader says of it
     */
    static String draw(Chart chart, String title) {
        SvgCanvas canvas = new SvgCanvas();
        chart.draw(canvas);
        return String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\" xmlns=\"http://www.w3.org/2000/svg\">%n%s</svg>%n",
                Chart.WIDTH,
                chart.height(),
                Html.escaped(title),
                canvas.body);
    }

    @Override
    public double width() {
        return Chart.WIDTH;
    }

    @Override
    public void rect(double x, double y, double rectWidth, double height, String colour) {
        if (rectWidth > 0 && height > 0) {
            add(
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                    x, y, rectWidth, height, colour);
        }
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Stroke stroke) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, attributes(stroke));
    }

    @Override
    public void circle(double x, double y, double radius, String colour) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", x, y, radius, colour);
    }

    @Override
    public void path(List<Corner> corners, Stroke stroke) {
        String data = corners.stream()
                .map(corner -> String.format(Locale.ROOT, "%.1f %.1f", corner.x(), corner.y()))
                .collect(Collectors.joining("L", "M", ""));
        add("<path d=\"%s\" fill=\"none\" %s/>", data, attributes(stroke));
    }

    private static String attributes(Stroke stroke) {
        String dashes = stroke.dashes().stream().map(String::valueOf).collect(Collectors.joining(" "));
        return String.format(Locale.ROOT, "stroke=\"%s\" stroke-width=\"%.1f\"", stroke.colour(), stroke.width())
                + (dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
    }

    @Override
    public void text(double x, double y, String text, TextStyle style, Anchor anchor) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"%s\"%s%s%s>%s</text>",
                x,
                y,
                style.size(),
                style.colour(),
                style.isBold() ? " font-weight=\"600\"" : "",
                style.isItalic() ? " font-style=\"italic\"" : "",
                anchor == Anchor.START ? "" : " text-anchor=\"" + anchor.name().toLowerCase(Locale.ROOT) + "\"",
                Html.escaped(text));
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
