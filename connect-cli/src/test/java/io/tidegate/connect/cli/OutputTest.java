package io.tidegate.connect.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

final class OutputTest {
    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    @Command(name = "endless")
    private static final class Endless implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            while (true) {
                spec.commandLine().getOut().println("result");
            }
        }
    }

    @Test
    void aBrokenPipeEndsTheRunWithoutAWord() {
        assertThat(statusAfter("Broken pipe")).isEqualTo(141);
        assertThat(err.toString()).isEmpty();
        assertThat(read.toString(UTF_8).lines()).containsOnly("result").hasSize(2);
    }

    @Test
    void aFullDiskIsAnError() {
        assertThat(statusAfter("No space left on device")).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("test: cannot write to standard output: No space left on device");
    }

    private int statusAfter(String failure) {
        OutputStream limited = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                if (read.size() == 2 * ("result" + System.lineSeparator()).length()) {
                    throw new IOException(failure);
                }
                read.write(b);
            }
        };
        return new PlainErrors("test", "", 2)
                .of(new CommandLine(new Endless()))
                .setOut(Output.of(limited, UTF_8))
                .setErr(new PrintWriter(err))
                .execute();
    }
}
