package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SettingsReferenceTest {
    private static final Path PAGES = Path.of("..", "docs", "reference");

    @Test
    void thePagesShowTheSettingsAsTheyAre() {
        SettingsReference.check(
                new ElasticsearchBulkSinkConnector().config(),
                PAGES.resolve("es-bulk-sink-settings.md"),
                PAGES.resolve("common-settings.md"));
    }
}
