package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class VersionTest {
    @Test
    void saysWhichPluginWasBuiltWithoutAVersion() {
        assertThatThrownBy(() -> Version.of(VersionTest.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no version.properties beside io.tidegate.connect.common.task.VersionTest");
    }
}
