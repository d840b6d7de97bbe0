package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParentWatchdogTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private ParentWatchdog start(String script) {
        return ParentWatchdog.start(new ParentWatchdog.Order(
                List.of("sh", "-c", script), Map.of("GREETING", "moin"), folder, folder.resolve("log"), "TERM"));
    }

    private void awaitLog(String text) {
        assertThat(Poll.until(() -> log().contains(text), SOON)).as(text).isTrue();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (java.io.IOException e) {
            return "";
        }
    }

    @Test
    void passesTheEnvironmentOnAndKeepsOutputAndExitCode() {
        ParentWatchdog watchdog = start("echo $GREETING; echo oops >&2; exit 3");
        assertThat(Poll.until(() -> !watchdog.isRunning(), SOON)).isTrue();
        assertThat(watchdog.exitCode()).isEqualTo(3);
        assertThat(log()).isEqualTo("moin\noops\n");
        assertThat(folder).exists();
    }

    @Test
    void saysThePidOfTheProcessItselfAndCountsItsChildrensTime() {
        ParentWatchdog watchdog =
                start("echo pid $$; sleep 1000 & i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; wait");
        awaitLog("pid " + watchdog.server().pid());
        awaitLog("done");
        assertThat(watchdog.server().cpuTime()).isPositive();
        watchdog.kill();
        assertThat(watchdog.isRunning()).isFalse();
        assertThat(watchdog.server().cpuTime()).isZero();
    }

    @RepeatedTest(10)
    void keepsTheFolderOfAProcessThatIsKilled() {
        ParentWatchdog watchdog = start("echo up; sleep 1000");
        awaitLog("up");
        watchdog.kill();
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void stopsInGoodOrderWithinTheGrace() {
        ParentWatchdog watchdog = start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        watchdog.stop(SOON);
        assertThat(log()).contains("bye");
    }

    @Test
    void killsWhatDoesNotStopWithItsChildren() {
        ParentWatchdog watchdog = start("trap '' TERM; sleep 1000 & echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        List<ProcessHandle> children = ProcessHandle.of(watchdog.server().pid())
                .orElseThrow()
                .descendants()
                .toList();
        watchdog.stop(Duration.ofMillis(200));
        assertThat(watchdog.isRunning()).isFalse();
        assertThat(children).isNotEmpty();
        assertThat(Poll.until(() -> children.stream().noneMatch(ProcessHandle::isAlive), SOON))
                .isTrue();
    }

    @Test
    void aPausedProcessStopsInGoodOrder() {
        ParentWatchdog watchdog = start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        watchdog.server().pause();
        watchdog.stop(SOON);
        assertThat(log()).contains("bye");
    }
}
