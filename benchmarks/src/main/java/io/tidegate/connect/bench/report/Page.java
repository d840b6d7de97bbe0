package io.tidegate.connect.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A page around what a benchmark has to show. */
public final class Page {
    private Page() {}

    /**
     * A whole document.
     *
     * @param body HTML
     * @param command what to type to get the page again
     */
    public static String of(String title, String body, String command) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>"
                + Html.escaped(title) + "</title>\n<style>\n" + style() + "</style></head><body>\n<h1>"
                + Html.escaped(title) + "</h1>\n" + body + "<h2>Run it again</h2><code class=\"command\">"
                + Html.escaped(command) + "</code>\n</body></html>\n";
    }

    private static String style() {
        try (InputStream in = Page.class.getResourceAsStream("style.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
