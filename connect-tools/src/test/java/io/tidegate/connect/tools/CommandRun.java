package io.tidegate.connect.tools;

import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import picocli.CommandLine;

/** A run of {@code tidegate} in this JVM: its exit status and what it printed. */
public record CommandRun(int status, String out, String err) {
    public static CommandRun of(String... args) {
        return of(Map.of(), args);
    }

    static CommandRun of(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line;
        try {
            line = Tidegate.commandLine(Context.of(args, environment));
        } catch (ToolException e) {
            return new CommandRun(2, "", e.getMessage());
        }
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return new CommandRun(line.execute(args), out.toString(), err.toString());
    }
}
