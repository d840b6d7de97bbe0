package io.tidegate.connect.bench.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Builds HTML pages and their parts. */
public final class Html {
    private Html() {}

    /** Escapes a text for HTML, also for attributes. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Replaces each %s in the HTML by an escaped text. */
    public static String of(String html, String... texts) {
        return html.formatted(Arrays.stream(texts).map(Html::escaped).toArray());
    }

    /** Makes a table. The first cell of a row is its heading; all cells are HTML. */
    public static String table(List<String> heading, List<List<String>> rows) {
        return "<div class=\"scroll\"><table><thead><tr><th>" + String.join("</th><th>", heading)
                + "</th></tr></thead><tbody>\n"
                + rows.stream().map(Html::row).collect(Collectors.joining("\n"))
                + "</tbody></table></div>\n";
    }

    private static String row(List<String> cells) {
        return "<tr><th>" + cells.get(0) + "</th>"
                + cells.stream().skip(1).map(cell -> "<td>" + cell + "</td>").collect(Collectors.joining())
                + "</tr>";
    }

    public static String figures(List<Figure> figures) {
        return figures.stream()
                .map(figure -> of("<figure><h3>%s</h3>\n", figure.title())
                        + figure.chart().element(figure.title())
                        + of("<figcaption>%s</figcaption></figure>\n", figure.caption()))
                .collect(Collectors.joining("", "<div class=\"charts\">\n", "</div>\n"));
    }

    /**
     * Makes a whole document.
     *
     * @param body HTML, which is not escaped
     * @param command the command line that makes the page again
     */
    public static String page(String title, String body, String command) {
        return """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1"><title>%1$s</title>
                <style>
                %2$s</style></head><body>
                <h1>%1$s</h1>
                %3$s<h2>Run it again</h2><code class="command">%4$s</code>
                </body></html>
                """.formatted(escaped(title), style(), body, escaped(command));
    }

    private static String style() {
        try (InputStream in = Html.class.getResourceAsStream("style.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
