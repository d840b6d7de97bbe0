package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SettingsReferenceTest {
    @Test
    void thePageShowsTheSettingsAsTheyAre() {
        SettingsReference.check(
                new ElasticsearchBulkSinkConnector().config(),
                Path.of("..", "docs", "reference", "es-bulk-sink-settings.md"));
    }
}
