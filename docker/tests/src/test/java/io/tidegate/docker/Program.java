package io.tidegate.docker;

import io.tidegate.connect.testkit.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of this machine that does one thing and ends. */
final class Program {
    private Program() {}

    /**
     * What it prints.
     *
     * @throws ServerException with all it said if it fails or takes longer
     */
    static String run(Map<String, String> environment, Duration atMost, List<String> command) {
        try {
            Path out = Files.createTempFile("out", ".txt");
            Path err = Files.createTempFile("err", ".txt");
            try {
                ProcessBuilder builder =
                        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
                builder.environment().putAll(environment);
                int status = await(builder.start(), atMost);
                if (status != 0) {
                    throw new ServerException("%s ended with status %d:%n%s%s"
                            .formatted(command, status, Files.readString(out), Files.readString(err)));
                }
                return Files.readString(out);
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
            Thread.currentThread().interrupt();
            throw new ServerException("Interrupted: running a program", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
