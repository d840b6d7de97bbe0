package io.tidegate.connect.bench.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class MonitoringFilesTest {
    @Test
    void everyAlertHasASeverityAndASectionOfTheRunbook() throws Exception {
        List<String> runbook = Files.readAllLines(Path.of("..", "docs", "how-to", "runbook.md"));

        assertThat(MonitoringFiles.alerts()).hasSizeGreaterThan(5).allSatisfy(alert -> {
            String name = alert.path("alert").asText();
            assertThat(runbook).contains("## " + name);
            assertThat(alert.at("/annotations/runbook").asText())
                    .isEqualTo("docs/how-to/runbook.md#" + name.toLowerCase(Locale.ROOT));
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
}
