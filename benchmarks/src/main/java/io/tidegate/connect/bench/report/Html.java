package io.tidegate.connect.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of a page. */
public final class Html {
    private Html() {}

    /** Text as it stands in HTML, in attributes too. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The first cell of a row is its heading; cells are HTML. */
    public static String table(List<String> heading, List<List<String>> rows) {
        return "<div class=\"scroll\"><table><thead><tr>"
                + heading.stream().map(cell -> "<th>" + cell + "</th>").collect(Collectors.joining())
                + "</tr></thead><tbody>\n"
                + rows.stream().map(Html::row).collect(Collectors.joining("\n"))
                + "</tbody></table></div>\n";
    }

    private static String row(List<String> cells) {
        return "<tr><th>" + cells.get(0) + "</th>"
                + cells.stream().skip(1).map(cell -> "<td>" + cell + "</td>").collect(Collectors.joining())
                + "</tr>";
    }
}
