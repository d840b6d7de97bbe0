package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SettingsReferenceTest {
    @Test
    void thePageShowsTheSettingsAsTheyAre() {
        SettingsReference.check(
                new JsonbSinkConnector().config(), Path.of("..", "docs", "reference", "jsonb-sink-settings.md"));
    }
}
