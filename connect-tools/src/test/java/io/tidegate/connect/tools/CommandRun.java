package io.tidegate.connect.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A run of {@code tidegate} in this JVM: its exit status and what it printed. */
public record CommandRun(int status, String out, String err) {
    public static CommandRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Tidegate.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return new CommandRun(line.execute(args), out.toString(), err.toString());
    }
}
