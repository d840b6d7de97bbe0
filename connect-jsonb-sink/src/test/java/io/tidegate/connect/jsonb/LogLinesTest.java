package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.scenarios.LogLines;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class LogLinesTest {
    @Test
    void thePageExplainsWhatIsLogged() throws Exception {
        LogLines.check(Path.of(".."));
    }
}
