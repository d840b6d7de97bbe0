package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that do one thing and end. */
public final class Commands {
    private static final Duration PROBE = Duration.ofSeconds(10);

    private Commands() {}

    /**
     * Runs a program, its output appended to the log.
     *
     * @throws ServerException if it fails or takes longer
     */
    public static void run(List<String> command, Path folder, Path log, Duration atMost) {
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

    /**
     * Runs a program in this JVM's folder and returns what it prints, without what it says on standard error.
     *
     * @param environment added to that of this JVM
     * @throws ServerException with all it said if it fails, or if it takes longer
     */
    public static String printed(List<String> command, Map<String, String> environment, Duration atMost) {
        try {
            Path out = Files.createTempFile("out-", ".txt");
            Path err = Files.createTempFile("err-", ".txt");
            try {
                ProcessBuilder builder =
                        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
                builder.environment().putAll(environment);
                int code = await(builder.start(), atMost);
                if (code != 0) {
                    throw new ServerException("%s ended with exit code %d:%n%s%s"
                            .formatted(command, code, Files.readString(out), Files.readString(err)));
                }
                return Files.readString(out);
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new ServerException("Cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** Whether the program is there and ends with exit code 0 within 10 s. */
    public static boolean succeeds(List<String> command) {
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
