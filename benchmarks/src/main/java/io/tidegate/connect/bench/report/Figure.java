package io.tidegate.connect.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A chart with its title and what to know of it.
 *
 * @param alt for those who cannot see it
 */
public record Figure(String title, Chart chart, String alt, String caption) {
    /** All of them as they stand on a page. */
    public static String html(List<Figure> figures) {
        return figures.stream()
                .map(Figure::html)
                .collect(Collectors.joining("", "<div class=\"charts\">\n", "</div>\n"));
    }

    private String html() {
        return "<figure><h3>" + Html.escaped(title) + "</h3>\n" + SvgCanvas.draw(chart, alt) + "<figcaption>"
                + Html.escaped(caption) + "</figcaption></figure>\n";
    }
}
