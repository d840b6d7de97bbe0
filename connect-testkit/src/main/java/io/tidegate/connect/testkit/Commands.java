package io.tidegate.connect.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that do one thing and end. */
final class Commands {
    private static final Duration PROBE = Duration.ofSeconds(10);

    private Commands() {}

    /**
     * Runs a program, its output appended to the log.
     *
     * @throws ServerException if it fails or takes longer
     */
    static void run(List<String> command, Path folder, Path log, Duration atMost) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            int code = await(builder.start(), atMost);
            if (code != 0) {
                throw new ServerException("%s ended with exit code %d, see %s".formatted(command, code, log));
            }
        } catch (IOException e) {
            throw new ServerException("Cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** Whether the program is there and ends with exit code 0 within 10 s. */
    static boolean succeeds(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            return await(builder.start(), PROBE) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int await(Process process, Duration atMost) {
        try {
            if (process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new ServerException("A program took longer than " + atMost + " and was killed: "
                    + process.info().commandLine().orElse(process.toString()));
        } catch (InterruptedException e) {
            throw Poll.interrupted("running a program", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
