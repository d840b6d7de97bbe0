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
        ParentWatchdog leash = start("echo $GREETING; echo oops >&2; exit 3");
        assertThat(Poll.until(() -> !leash.isRunning(), SOON)).isTrue();
        assertThat(leash.exitCode()).isEqualTo(3);
        assertThat(log()).isEqualTo("moin\noops\n");
        assertThat(folder).exists();
    }

    @Test
    void saysThePidOfTheProcessItselfAndCountsItsChildrensTime() {
        ParentWatchdog leash =
                start("echo pid $$; sleep 1000 & i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; wait");
        awaitLog("pid " + leash.server().pid());
        awaitLog("done");
        assertThat(leash.server().cpuTime()).isPositive();
        leash.kill();
        assertThat(leash.isRunning()).isFalse();
        assertThat(leash.server().cpuTime()).isZero();
    }

    @RepeatedTest(10)
    void keepsTheFolderOfAProcessThatIsKilled() {
        ParentWatchdog leash = start("echo up; sleep 1000");
        awaitLog("up");
        leash.kill();
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void stopsInGoodOrderWithinTheGrace() {
        ParentWatchdog leash = start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        leash.stop(SOON);
        assertThat(log()).contains("bye");
    }

    @Test
    void killsWhatDoesNotStopWithItsChildren() {
        ParentWatchdog leash = start("trap '' TERM; sleep 1000 & echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        List<ProcessHandle> children = ProcessHandle.of(leash.server().pid())
                .orElseThrow()
                .descendants()
                .toList();
        leash.stop(Duration.ofMillis(200));
        assertThat(leash.isRunning()).isFalse();
        assertThat(children).isNotEmpty();
        assertThat(Poll.until(() -> children.stream().noneMatch(ProcessHandle::isAlive), SOON))
                .isTrue();
    }

    @Test
    void aPausedProcessStopsInGoodOrder() {
        ParentWatchdog leash = start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
        awaitLog("up");
        leash.server().pause();
        leash.stop(SOON);
        assertThat(log()).contains("bye");
    }
}
