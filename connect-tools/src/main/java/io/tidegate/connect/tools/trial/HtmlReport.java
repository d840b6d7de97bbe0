package io.tidegate.connect.tools.trial;

import java.util.Map;

/** A result as one page without scripts. */
final class HtmlReport {
    private static final String STYLE =
            "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
                    + "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.4em;text-align:left;"
                    + "vertical-align:top;overflow-wrap:anywhere}code,pre{font:13px ui-monospace,monospace;white-space:pre-wrap;"
                    + "margin:0}.problem{background:#fff0ee}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}"
                    + ".problem{background:#411}}";

    private HtmlReport() {}

    static String of(TrialResult result) {
        StringBuilder page = new StringBuilder("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>")
                .append(escaped(result.connector()))
                .append("</title><style>")
                .append(STYLE)
                .append("</style><h1>")
                .append(escaped(result.connector()))
                .append("</h1><p>")
                .append(result.records().size())
                .append(" records, tried on ")
                .append(escaped(result.target()))
                .append("</p><table><tr><th>records<th>outcome</tr>");
        result.counts().forEach((outcome, count) -> row(page, outcome.isProblem(), count, outcome.text()));
        page.append("</table>");
        result.taskFailure()
                .ifPresent(failure -> page.append("<p><b>The task fails:</b> ").append(escaped(failure)));
        result.notes().forEach(note -> page.append("<p>").append(escaped(note)));
        if (!result.problems().isEmpty()) {
            page.append("<h2>Problems</h2><table><tr><th>records<th>kind<th>reason of the first</tr>");
            result.problems()
                    .forEach(group -> row(
                            page,
                            true,
                            group.size(),
                            group.get(0).group(),
                            group.get(0).reason().orElse("")));
            page.append("</table>");
        }
        page.append("<h2>Records</h2><table><tr><th>record<th>outcome<th>what is sent</tr>");
        result.records()
                .forEach(each -> row(
                        page,
                        each.outcome().isProblem(),
                        each.place(),
                        each.outcome().text()
                                + each.reason().map(reason -> ": " + reason).orElse(""),
                        sent(each)));
        return page.append("</table></html>\n").toString();
    }

    private static String sent(Tried record) {
        StringBuilder text = new StringBuilder();
        record.sketch().forEach((name, value) -> {
            if (value instanceof Map<?, ?> columns) {
                columns.forEach((column, each) ->
                        text.append(column).append(" = ").append(each).append('\n'));
            } else {
                text.append(name).append(": ").append(value).append('\n');
            }
        });
        record.document()
                .filter(json -> !record.sketch().containsKey("source"))
                .ifPresent(json -> text.append("document: ").append(json));
        return text.toString();
    }

    private static void row(StringBuilder page, boolean isProblem, Object... cells) {
        page.append(isProblem ? "<tr class=\"problem\">" : "<tr>");
        for (Object cell : cells) {
            page.append("<td><pre>").append(escaped(cell.toString())).append("</pre>");
        }
        page.append("</tr>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
