package io.tidegate.connect.bench.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class MonitoringFilesTest {
    @Test
    void everyAlertHasASeverityAndTheAddressOfItsSectionOfTheRunbook() throws Exception {
        List<String> runbook = Files.readAllLines(Path.of("..", "docs", "how-to", "runbook.md"));
        String site = site();

        assertThat(MonitoringFiles.alerts()).hasSizeGreaterThan(5).allSatisfy(alert -> {
            String name = alert.path("alert").asText();
            assertThat(runbook).contains("## " + name);
            assertThat(alert.at("/annotations/runbook_url").asText())
                    .isEqualTo(site + "runbook.html#" + name.toLowerCase(Locale.ROOT));
            assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning");
        });
    }

    @Test
    void theRunbookHasNoSectionOfAnAlertThatIsGone() throws Exception {
        List<String> alerts = MonitoringFiles.alerts().stream()
                .map(alert -> "## " + alert.path("alert").asText())
                .toList();

        assertThat(Files.readAllLines(Path.of("..", "docs", "how-to", "runbook.md")))
                .filteredOn(line -> line.startsWith("## Tidegate"))
                .containsExactlyInAnyOrderElementsOf(alerts);
    }

    @Test
    void everyPanelHasATitleAnExpressionAndAPlaceOfItsOwn() throws Exception {
        JsonNode panels =
                MonitoringFiles.read("grafana/dashboards/tidegate.json").path("panels");

        assertThat(panels).hasSizeGreaterThan(10).allSatisfy(panel -> {
            assertThat(panel.path("title").asText()).isNotBlank();
            assertThat(panel.path("targets")).isNotEmpty();
        });
        assertThat(panels).extracting(panel -> panel.path("gridPos").toString()).doesNotHaveDuplicates();
    }

    /** GitHub's address of the project's pages. The site's root leads runbook.html to the newest runbook: site/versions. */
    private static String site() throws Exception {
        Matcher repository = Pattern.compile("<tidegate.repository>https://github.com/([^/]+)/([^<]+)<")
                .matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(repository.find()).isTrue();
        assertThat(Files.readString(Path.of("..", "site", "versions"))).contains("\"runbook.html\"");
        return "https://" + repository.group(1) + ".github.io/" + repository.group(2) + "/";
    }
}
