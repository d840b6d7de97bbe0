package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The generated part of a documentation page, between two markers. With {@code -Dsettings.reference.write=true} the
 * check writes it.
 */
final class GeneratedPart {
    private final String name;
    private final String begin;

    /**
     * The part between the lines {@code <!-- NAME: made from SOURCE, do not edit -->} and {@code <!-- NAME: end -->}.
     */
    GeneratedPart(String name, String source) {
        this.name = name;
        this.begin = "<!-- " + name + ": made from " + source + ", do not edit -->\n";
    }

    /** What the page has between the markers. */
    String read(Path page) {
        try {
            String text = Files.readString(page);
            return text.substring(start(page, text), end(page, text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails if the page does not contain this text between the markers. */
    void check(Path page, String markdown) {
        try {
            String text = Files.readString(page);
            String expected = text.substring(0, start(page, text)) + markdown + text.substring(end(page, text));
            if (Boolean.getBoolean("settings.reference.write")) {
                Files.writeString(page, expected);
            }
            assertThat(Files.readString(page))
                    .as("%s is stale: run this test with -Dsettings.reference.write=true", page)
                    .isEqualTo(expected);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int start(Path page, String text) {
        assertThat(text).as("markers in %s", page).contains(begin);
        return text.indexOf(begin) + begin.length();
    }

    private int end(Path page, String text) {
        int end = text.indexOf("<!-- " + name + ": end -->\n");
        assertThat(end).as("markers in %s", page).isGreaterThanOrEqualTo(start(page, text));
        return end;
    }
}
