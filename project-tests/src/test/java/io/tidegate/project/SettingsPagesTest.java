package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A setting that is the same in both sinks is on the page that they share, and nowhere else. */
final class SettingsPagesTest {
    private static final Path PAGES = PROJECT.resolve("docs/reference");
    private static final Pattern SETTING = Pattern.compile("(?ms)^#### (`[^`]+`\\n.+?)(?=^#|^<!--)");

    @Test
    void noSettingIsTheSameOnTwoPages() throws IOException {
        Set<String> jsonb = settings("jsonb-sink-settings.md");
        Set<String> elasticsearch = settings("es-bulk-sink-settings.md");
        assertThat(jsonb).hasSizeGreaterThan(20);
        assertThat(elasticsearch).hasSizeGreaterThan(20);

        Set<String> both = new HashSet<>(jsonb);
        both.retainAll(elasticsearch);
        assertThat(both).as("move to common-settings.md").isEmpty();
        assertThat(settings("common-settings.md"))
                .hasSizeGreaterThan(20)
                .doesNotContainAnyElementsOf(jsonb)
                .doesNotContainAnyElementsOf(elasticsearch);
    }

    private static Set<String> settings(String page) throws IOException {
        return SETTING.matcher(Files.readString(PAGES.resolve(page)))
                .results()
                .map(setting -> setting.group(1))
                .collect(Collectors.toSet());
    }
}
