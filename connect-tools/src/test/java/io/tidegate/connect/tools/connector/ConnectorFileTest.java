package io.tidegate.connect.tools.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConnectorFileTest {
    @TempDir
    private Path folder;

    @Test
    void readsWhatIsPosted() throws Exception {
        ConnectorFile file =
                read("{\"name\":\"tides\",\"config\":{\"connector.class\":\"C\",\"tasks.max\":2,\"x\":null}}");

        assertThat(file.name()).isEqualTo("tides");
        assertThat(file.config()).isEqualTo(Map.of("connector.class", "C", "tasks.max", "2", "name", "tides"));
    }

    @Test
    void readsSettingsAloneAndNamesThemAfterTheFile() throws Exception {
        assertThat(read("{\"connector.class\":\"C\"}").name()).isEqualTo("sink");
        assertThat(read("{\"connector.class\":\"C\",\"name\":\"tides\"}").name())
                .isEqualTo("tides");
    }

    @Test
    void saysWhatIsWrongWithAFile() throws Exception {
        assertRefused("{\"connector.class\":}", "is not JSON", "line 1, column 20");
        assertRefused("[]", "is not a connector");
        assertRefused("{\"topics\":\"t\"}", "has no connector.class");
        assertRefused("{\"connector.class\":\"C\",\"topics\":[\"t\"]}", "\"topics\" must be a text");
        assertRefused(
                "{\"name\":\"a\",\"config\":{\"connector.class\":\"C\",\"name\":\"b\"}}", "two names: 'a', and 'b'");
        assertRefused("{\"connector.class\":\"C\",\"connector.class\":\"D\"}", "Duplicate field 'connector.class'");
        assertThatThrownBy(() -> ConnectorFile.read(folder.resolve("absent.json")))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("there is no file");
    }

    private void assertRefused(String json, String... parts) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(ToolException.class).hasMessageContainingAll(parts);
    }

    private ConnectorFile read(String json) throws IOException, ToolException {
        return ConnectorFile.read(Files.writeString(folder.resolve("sink.json"), json));
    }
}
