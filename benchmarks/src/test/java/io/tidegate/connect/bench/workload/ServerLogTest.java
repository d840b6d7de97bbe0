package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerLogTest {
    private static final long MICROS = 1_000_000L * 86_400;

    @TempDir
    private Path folder;

    @Test
    void readsTheTimesOfPostgresOfLog4jAndOfTheJvm() throws Exception {
        Path log = Files.writeString(folder.resolve("log"), """
                Picked up JAVA_TOOL_OPTIONS: -Xlog:gc
                1970-01-02 00:00:00.001 UTC [7]  LOG:  checkpoint starting: time
                1970-01-02 00:00:01,500 DEBUG Committing offsets (Task)
                [1970-01-02T00:00:02.000+0000] GC(3) Pause Young 3.4ms
                \tat a.line.of.a.Trace
                """);

        assertThat(new ServerLog("x", log, ZoneOffset.UTC).lines())
                .containsExactly(
                        new ServerLog.Line("x", MICROS + 1000, "UTC [7]  LOG:  checkpoint starting: time"),
                        new ServerLog.Line("x", MICROS + 1_500_000, "DEBUG Committing offsets (Task)"),
                        new ServerLog.Line("x", MICROS + 2_000_000, "GC(3) Pause Young 3.4ms"));
    }
}
