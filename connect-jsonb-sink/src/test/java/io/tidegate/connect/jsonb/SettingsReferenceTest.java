package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SettingsReferenceTest {
    private static final Path PAGES = Path.of("..", "docs", "reference");

    @Test
    void thePagesShowTheSettingsAsTheyAre() {
        SettingsReference.check(
                new JsonbSinkConnector().config(),
                PAGES.resolve("jsonb-sink-settings.md"),
                PAGES.resolve("common-settings.md"));
    }
}
