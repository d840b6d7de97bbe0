package io.tidegate.connect.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/** {@code ./bench} as a user calls it, with what it says. */
final class CommandLineRun {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Returns the exit status. */
    int bench(String... args) {
        return Bench.commandLine(Path.of("").toAbsolutePath().getParent())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    /**
     * Runs it, which must succeed.
     *
     * @param words separated by spaces
     * @param folder for the results
     */
    void succeeds(String words, Path folder) {
        int status = bench((words + " --out " + folder).split(" ", -1));
        assertThat(takeErr()).isEmpty();
        assertThat(status).as(out()).isZero();
    }

    String out() {
        return out.toString();
    }

    /** What was said on standard error since the last call. */
    String takeErr() {
        String taken = err.toString();
        err.getBuffer().setLength(0);
        return taken;
    }
}
