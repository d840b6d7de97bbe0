package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs that do one task and exit. */
public final class Commands {
    private static final Duration PROBE = Duration.ofSeconds(10);

    private Commands() {}

    /**
     * Runs a program and appends its output to the log.
     *
     * @throws ServerException if the program fails or takes longer than {@code atMost}
     */
    public static void run(List<String> command, Path folder, Path log, Duration atMost) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            int code = await(builder.start(), atMost);
            if (code != 0) {
                throw new ServerException("%s exited with code %d. The end of its log %s:%n%s"
                        .formatted(command, code, log, new ServerLog(log).tail()));
            }
        } catch (IOException e) {
            throw new ServerException("Cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Runs a program in this JVM's working folder and returns its standard output.
     *
     * @param environment added to the environment of this JVM
     * @throws ServerException with both outputs if the program fails; or if it takes longer than {@code atMost}
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
                    throw new ServerException("%s exited with code %d:%n%s%s"
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

    /** Whether the program exists and exits with code 0 within 10 s. */
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
